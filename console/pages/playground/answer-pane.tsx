import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usageRecordQuery } from '../../api/usage.ts'
import { type PageTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { withDiagnosis } from '../../shell/diagnosis-search.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { ExplainedCost } from '../../costs/explained-cost.tsx'
import type { Answer } from './use-answer.ts'

/** How long a record may take to be there, asked for once a second. */
const RECORD_TRIES = 5

/** What one model answered, with what it cost and where that is explained. */
export function AnswerPane({ model, answer }: { readonly model: string; readonly answer: Answer }): ReactNode {
  const t = useTexts('playground')
  const format = useFormat()
  const search: FlatSearch = useSearch({ strict: false })
  const { state, text, error, status, requestId, tookMs } = answer
  const isOver = state === 'done' || state === 'failed' || state === 'stopped'
  const record = useQuery({
    ...usageRecordQuery(requestId ?? ''),
    enabled: isOver && requestId !== null,
    // The record of a request that was stopped is written once the gateway has seen that its client is gone.
    refetchInterval: (query) =>
      query.state.data === null && query.state.dataUpdateCount < RECORD_TRIES ? 1_000 : false,
  }).data
  const tokens = record?.tokens
  const count = (value: number | null): string => (value === null ? '–' : format.number(value))
  return (
    <Section title={t.answerOf(model)}>
      <div className="grid grid-cols-1 gap-3">
        {text !== '' && (
          <div aria-live="polite" aria-busy={!isOver} className="min-w-0 break-words whitespace-pre-wrap">
            {text}
          </div>
        )}
        {text === '' && !isOver && <p className="text-ink-3">{t.waiting}</p>}
        {text === '' && state === 'done' && <p className="text-ink-3">{t.empty}</p>}
        {state === 'stopped' && <p className="text-ink-3">{t.stopped}</p>}
        {state === 'failed' && (
          <Notice tone="bad" isLive title={titleOf(status, t)}>
            {error !== null && <p>{error}</p>}
          </Notice>
        )}
        {requestId !== null && isOver && (
          <p className="flex flex-wrap items-baseline gap-x-4 gap-y-1 text-sm text-ink-2">
            {record != null && (
              <ExplainedCost requestId={record.id} known={record}>
                {format.money(record.cost)}
              </ExplainedCost>
            )}
            {tokens != null && (tokens.input ?? tokens.output) !== null && (
              <span>{t.tokens(count(tokens.input), count(tokens.output))}</span>
            )}
            {tookMs !== null && <span>{format.duration(tookMs)}</span>}
            <Link to={PATHS.usage} search={{ record: requestId }} className="text-accent hover:underline">
              {t.receipt}
            </Link>
            {state === 'failed' && (
              <Link
                to="."
                search={withDiagnosis(search, { request: requestId })}
                className="text-accent hover:underline"
              >
                {t.diagnose}
              </Link>
            )}
          </p>
        )}
      </div>
    </Section>
  )
}

function titleOf(status: number | null, t: PageTexts['playground']): string {
  if (status === null) return t.unreachable
  return status < 400 ? t.endedEarly : t.failed(String(status))
}
