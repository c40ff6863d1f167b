/** The operator's page of tariffs, and those of drafts. */
import '../tariffs/tariffs.css';
import './operator.css';
import type { OperatorPageProps } from './address.ts';
import { DraftPage } from './tariffs/draft.tsx';
import { TariffsPage } from './tariffs/list.tsx';

export default ({ id }: OperatorPageProps) => (id === undefined ? <TariffsPage /> : <DraftPage id={id} />);
