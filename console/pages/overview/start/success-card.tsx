import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { MESSAGE_CLIENT } from '../../../api/key-messages.ts'
import { usageRecordQuery } from '../../../api/usage.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { clientName } from '../../../format/client-name.ts'
import { useFormat } from '../../../format/use-format.ts'
import { PATHS } from '../../../paths.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ExplainedCost } from '../../../costs/explained-cost.tsx'
import { NextSteps } from './next-steps.tsx'
import type { Try } from './live-state.ts'

/** The first call that worked, with what it took, in place of the steps that led to it. */
export function SuccessCard(props: {
  readonly record: Try
  readonly secret: string | null
  onCopied(): void
  /** What comes next with the same key. */
  readonly children?: ReactNode
}): ReactNode {
  const texts = useTexts('start')
  const t = texts.success
  const format = useFormat()
  const { record } = props
  const head = useRef<HTMLHeadingElement>(null)
  // The steps that had the focus are gone.
  useEffect(() => {
    head.current?.focus()
  }, [])
  // From now on there is something to look over.
  const queries = useQueryClient()
  useEffect(() => void queries.invalidateQueries({ queryKey: ['overview'] }), [queries])
  const whole = useQuery(usageRecordQuery(record.id))
  const tokens = whole.data?.tokens
  const input = [tokens?.input, tokens?.cache_read, tokens?.cache_write].reduce<number>((sum, n) => sum + (n ?? 0), 0)
  const facts = [
    { label: t.model, value: record.model ?? '–' },
    {
      label: t.tokens,
      value:
        tokens === undefined
          ? whole.isPending
            ? '…'
            : '–'
          : t.tokenCounts(format.number(input), format.number(tokens.output ?? 0)),
    },
    {
      label: t.cost,
      value: (
        <ExplainedCost requestId={record.id} known={whole.data ?? undefined}>
          {format.money(record.cost)}
        </ExplainedCost>
      ),
    },
    { label: t.time, value: format.duration(record.total_ms) },
    { label: t.key, value: record.key_name ?? '–' },
  ]
  const client = record.client === null ? null : clientName(record.client)
  const lead = record.client === MESSAGE_CLIENT ? t.leadTest : client === null ? t.leadUnknown : t.lead(client)
  return (
    <>
      <section role="status" className="mb-6 rounded-lg border border-good bg-good-soft p-4 sm:p-5">
        <div className="flex items-start gap-3">
          <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-good text-surface">
            <Icon name="check" className="size-5" />
          </span>
          <div className="min-w-0">
            <h2 ref={head} tabIndex={-1} className="text-xl outline-none">
              {t.title}
            </h2>
            <p className="text-ink-2">{lead}</p>
          </div>
        </div>
        <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-10">
          {facts.map((fact) => (
            <div key={fact.label} className="min-w-0">
              <dt className="text-sm text-ink-2">{fact.label}</dt>
              <dd className="font-medium">{fact.value}</dd>
            </div>
          ))}
        </dl>
        <div className="mt-4 flex flex-wrap items-center gap-2">
          <Link to={PATHS.usage} search={{ request: record.id }} className={buttonClass('primary')}>
            {t.details}
          </Link>
          {props.secret !== null && (
            <CopyButton
              text={props.secret}
              what={texts.key.copySecret}
              label={texts.key.copySecret}
              onCopied={props.onCopied}
            />
          )}
        </div>
        {props.secret !== null && <p className="mt-2 text-sm text-ink-2">{t.secretStays}</p>}
      </section>
      {props.children}
      <NextSteps />
    </>
  )
}
