import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'
import { keySetupQuery } from '../../../api/key-setup.ts'
import { usageRecordQuery } from '../../../api/usage.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { clientName } from '../../../format/client-name.ts'
import { useFormat } from '../../../format/use-format.ts'
import { PATHS } from '../../../paths.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { ExplainedCost } from '../../../costs/explained-cost.tsx'
import { ImportGuide } from '../../keys/set-up/import-guide.tsx'
import { useListedModels } from '../../keys/set-up/listed-models.ts'
import type { Try } from './live-state.ts'

/** The first call of a client that worked, with what it took. */
export default function SuccessCard(props: {
  readonly record: Try
  readonly keyId: string
  readonly secret: string | null
  onCopied(): void
}): ReactNode {
  const texts = useTexts('start')
  const { pages } = useSharedTexts()
  const t = texts.success
  const { record } = props
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    head.current?.focus()
  }, [])
  // From now on there is something to look over.
  const queries = useQueryClient()
  useEffect(() => void queries.invalidateQueries({ queryKey: ['overview'] }), [queries])
  const client = record.client === null ? null : clientName(record.client)
  return (
    <div className="grid grid-cols-1 gap-3">
      <section role="status" className="rounded-lg border border-good bg-good-soft p-4">
        <div className="flex items-start gap-3">
          <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-good text-surface">
            <Icon name="check" className="size-5" />
          </span>
          <div className="min-w-0">
            <h3 ref={head} tabIndex={-1} className="text-lg outline-none">
              {t.title}
            </h3>
            <p className="text-ink-2">{client === null ? t.leadUnknown : t.lead(client)}</p>
          </div>
        </div>
        <Facts record={record} />
        <div className="mt-4 flex flex-wrap items-center gap-2">
          <Link to={PATHS.overview} search={{}} className={buttonClass('primary')}>
            {pages.overview}
          </Link>
          <Link to={PATHS.usage} search={{ request: record.id }} className={buttonClass('secondary')}>
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
      {props.secret !== null && <AnotherApp keyId={props.keyId} secret={props.secret} />}
    </div>
  )
}

function Facts({ record }: { readonly record: Try }): ReactNode {
  const t = useTexts('start').success
  const format = useFormat()
  const whole = useQuery(usageRecordQuery(record.id))
  const tokens = whole.data?.tokens
  const input = [tokens?.input, tokens?.cache_read, tokens?.cache_write].reduce<number>((sum, n) => sum + (n ?? 0), 0)
  const counts = tokens && t.tokenCounts(format.number(input), format.number(tokens.output ?? 0))
  const cost = (
    <ExplainedCost requestId={record.id} known={whole.data ?? undefined}>
      {format.money(record.cost)}
    </ExplainedCost>
  )
  const facts = [
    { label: t.model, value: record.model ?? '–' },
    { label: t.tokens, value: counts ?? (whole.isPending ? '…' : '–') },
    { label: t.cost, value: cost },
    { label: t.time, value: format.duration(record.total_ms) },
    { label: t.key, value: record.key_name ?? '–' },
  ]
  return (
    <dl className="mt-4 grid grid-cols-2 gap-x-6 gap-y-3 sm:flex sm:flex-wrap sm:gap-x-10">
      {facts.map((fact) => (
        <div key={fact.label} className="min-w-0">
          <dt className="text-sm text-ink-2">{fact.label}</dt>
          <dd className="font-medium">{fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Links that put the same key into another program, while its secret is still at hand. */
function AnotherApp(props: { readonly keyId: string; readonly secret: string }): ReactNode {
  const t = useTexts('start').success
  const setup = useQuery(keySetupQuery(props.keyId, useListedModels())).data
  if (setup === undefined || setup.imports.length === 0) return null
  return (
    <Disclosure title={t.second} summary={t.secondLead}>
      <ImportGuide setup={setup} secret={props.secret} />
    </Disclosure>
  )
}
