import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { DiagnosisView } from '../../../src/contract/diagnosis.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { DetailList } from '../../ui/detail-list.tsx'
import { wireTitle } from '../../format/wire-names.ts'

/** What the diagnosis was made from: the record and the key. Nothing where neither is there. */
export function Proof({ diagnosis: { record, key } }: { readonly diagnosis: DiagnosisView }): ReactNode {
  const t = useTexts('diagnose')
  const shared = useSharedTexts()
  const format = useFormat()
  const rows = [
    ...(record === null
      ? []
      : [
          {
            label: t.proofs.record,
            value: (
              <Link
                to={PATHS.usage}
                search={{ record: record.id }}
                className="font-mono text-sm break-all text-accent hover:underline"
              >
                {record.id}
              </Link>
            ),
          },
          { label: t.proofs.time, value: format.second(record.created_at) },
          { label: t.proofs.model, value: record.model ?? shared.none },
          { label: t.proofs.protocol, value: record.protocol === null ? shared.none : wireTitle(record.protocol) },
          { label: t.proofs.status, value: record.http_status ?? shared.none },
        ]),
    ...(key === null
      ? []
      : [
          {
            label: t.proofs.key,
            value: (
              <>
                {key.name} <code className="font-mono text-sm text-ink-3">…{key.end}</code>
              </>
            ),
          },
          { label: t.proofs.keyState, value: t.statuses[key.status] },
          { label: t.proofs.group, value: key.group ?? shared.none },
          {
            label: t.proofs.lastUsed,
            value: key.last_used_at === null ? shared.never : format.second(key.last_used_at),
          },
        ]),
  ]
  if (rows.length === 0) return null
  return (
    <div>
      <h3 className="mb-2 font-medium">{t.proof}</h3>
      <DetailList rows={rows} />
    </div>
  )
}
