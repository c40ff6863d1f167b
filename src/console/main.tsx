/** The console's start: mounts the application into the page. */
import './style.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { applyTheme } from './theme.tsx';

const root = document.getElementById('app');
if (root === null) throw new Error('The page has no element #app.');
applyTheme();
render(<App />, root);
