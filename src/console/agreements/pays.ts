/** Who pays: for an operator, the client. */
import { createContext } from 'preact';

export const PaysContext = createContext<'You pay' | 'The client pays'>('You pay');
