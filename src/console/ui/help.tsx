/** Explains shipping terms where a page uses them. */
import type { Word } from './help-words.tsx';
import { Later } from './later.tsx';

export type { Word };

const words = () => import('./help-words.tsx');

export const Help = ({ about }: { readonly about: readonly Word[] }) => <Later page={words} props={{ about }} />;
