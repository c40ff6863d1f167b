/** Findings about an agreement, errors first. */
import type { CheckedAgreement } from '../../calls.ts';
import { Notice } from '../../ui/feedback.tsx';
import { counted } from '../../ui/format.ts';

type Finding = CheckedAgreement['findings'][number];

const SHOWN = 50;

const TITLES = { error: 'error', warning: 'warning' } as const;

export const Findings = ({ findings }: { readonly findings: readonly Finding[] }) => (
  <>
    {(['error', 'warning'] as const).map((severity) => {
      const own = findings.filter((finding) => finding.severity === severity);
      return own.length === 0 ? null : (
        <Notice key={severity} kind={severity} title={counted(own.length, TITLES[severity])}>
          <ul>
            {own.slice(0, SHOWN).map(({ at, message }) => (
              <li key={`${at} ${message}`}>
                <strong>{at}</strong> {message}.
              </li>
            ))}
          </ul>
          {own.length > SHOWN ? <p>And {own.length - SHOWN} more.</p> : null}
        </Notice>
      );
    })}
  </>
);
