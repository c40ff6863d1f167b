/** The operator's pages of agreements: the list, and one agreement. */
import '../tariffs/tariffs.css';
import './operator.css';
import { AgreementList } from './agreements/agreement-list.tsx';
import { AgreementView } from './agreements/agreement-view.tsx';

export default ({ id }: { readonly id: string | undefined }) =>
  id === undefined ? <AgreementList /> : <AgreementView name={id} />;
