/** Who pays. For an operator it is the client. */
import { createContext } from 'preact';

export const PaysContext = createContext<'You pay' | 'The client pays'>('You pay');
