/** The operator's pages of clients: the list, and one client. */
import './operator.css';
import { ClientList } from './clients/client-list.tsx';
import { ClientPage } from './clients/client-page.tsx';

export default ({ id }: { readonly id: string | undefined }) =>
  id === undefined ? <ClientList /> : <ClientPage id={id} />;
