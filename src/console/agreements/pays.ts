/** The words for who pays. For an operator, the client pays. */
import { createContext } from 'preact';

export const PaysContext = createContext<'You pay' | 'The client pays'>('You pay');
