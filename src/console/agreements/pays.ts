/** The words for who pays. For an operator, the client of an agreement or any client of a tariff pays. */
import { createContext } from 'preact';

export const PaysContext = createContext<'You pay' | 'The client pays' | 'A client pays'>('You pay');
