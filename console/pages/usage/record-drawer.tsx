import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { UsageRecordView } from '../../../src/contract/usage.ts'
import { ApiProblem } from '../../api/api-problem.ts'
import { subscriptionsQuery } from '../../api/billing.ts'
import { instanceQuery } from '../../api/instance.ts'
import { unknownTriesQuery } from '../../api/unknown-tries.ts'
import { sameFaultQuery, usageRecordQuery } from '../../api/usage.ts'
import { useMay } from '../../api/use-may.ts'
import { explainPrice } from '../../costs/price-explanation.ts'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { type PageTexts, useTexts } from '../../dictionaries/texts.ts'
import { startOfDay, timeText, timeZoneHere } from '../../format/local-time.ts'
import { isZero } from '../../format/money.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FaultCode } from '../../ui/fault-code.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { useClientNames } from '../client-names.ts'
import { type UnknownTry, UnknownTryText } from '../faults/unknown-try.tsx'
import { ChargedTerms, PriceLines } from './price-lines.tsx'
import { RecordAttempts } from './record-attempts.tsx'
import { RecordDetails } from './record-details.tsx'
import { RecordFault } from './record-fault.tsx'
import { RecordPart } from './record-part.tsx'
import { retryWithCurl, supportText } from './record-texts.ts'
import { siteAddress } from '../../site.ts'

const RecordSurroundings = lazyPart(() => import('./record-surroundings.tsx'), <SkeletonLines count={4} />)

/**
 * One request, explained: what went wrong, how its cost came about, who paid, what was tried, how long it took. `known`:
 * its record, where the page has it already; else it is fetched by its id.
 */
export default function RecordDrawer(props: {
  readonly id: string
  readonly known: UsageRecordView | undefined
  onClose(): void
}): ReactNode {
  const r = useTexts('record')
  const isStaff = useMay('staff')
  const format = useFormat()
  const { id, known } = props
  const fetched = useQuery({ ...usageRecordQuery(id), enabled: known === undefined })
  const record = known ?? fetched.data
  return (
    <Drawer
      isOpen
      onClose={props.onClose}
      title={record?.model ?? r.title}
      description={record ? format.second(record.created_at) : undefined}
      foot={<RecordFoot id={id} record={record ?? undefined} />}
    >
      {record ? (
        <div className="grid gap-6">
          <div className="grid gap-2 empty:hidden">
            <RecordFault record={record} />
            {record.fault !== null && <SameFault record={record} fault={record.fault} />}
          </div>
          <RecordPrice record={record} />
          <RecordAttempts record={record} />
          {isStaff && <RecordSurroundings record={record} />}
          <RecordDetails record={record} />
        </div>
      ) : fetched.error instanceof ApiProblem && fetched.error.code === 'record_deleted' ? (
        <EmptyState icon="search" title={r.notFound}>
          {r.deletedText}
        </EmptyState>
      ) : fetched.error !== null ? (
        <ErrorState error={fetched.error} onRetry={() => void fetched.refetch()} />
      ) : record === null ? (
        <WithoutRecord id={id} />
      ) : (
        <SkeletonLines count={9} />
      )}
    </Drawer>
  )
}

/** Shows a request without a known key: it has no record, but the gateway may still know why it refused it. */
function WithoutRecord({ id }: { readonly id: string }): ReactNode {
  const t = useTexts('record')
  const tries = useQuery(unknownTriesQuery(0))
  const tried = tries.data?.find((each) => each.id === id)
  if (tries.isPending) return <SkeletonLines count={4} />
  if (tried !== undefined) return <UnknownTryEntry tried={tried} />
  return (
    <EmptyState icon="search" title={t.notFound}>
      {t.notFoundText}
    </EmptyState>
  )
}

function RecordFoot({ id, record }: { readonly id: string; readonly record: UsageRecordView | undefined }): ReactNode {
  const t = useTexts('record')
  const origin = useQuery(instanceQuery).data?.origin ?? siteAddress()
  const link = (): string => `${location.origin}${location.pathname}?record=${encodeURIComponent(id)}`
  const retry = record === undefined ? null : retryWithCurl(record, origin)
  return (
    <>
      {retry !== null && <CopyButton text={retry} what={t.copyRetry} label={t.copyRetry} />}
      {record !== undefined && (
        <CopyButton text={() => supportText(record, origin)} what={t.copySupport} label={t.copySupport} />
      )}
      <CopyButton text={link} what={t.copyLink} label={t.copyLink} />
    </>
  )
}

/** How often the same error came on the same day of the reader's calendar, with the way to those requests. */
function SameFault({ record, fault }: { readonly record: UsageRecordView; readonly fault: string }): ReactNode {
  const t = useTexts('record')
  const format = useFormat()
  const zone = timeZoneHere()
  const atMs = Date.parse(record.created_at)
  const day = { from: timeText(startOfDay(atMs, zone)), to: timeText(startOfDay(atMs, zone, 1)) }
  const found = useQuery(sameFaultQuery({ fault, ...day })).data
  if (found === undefined) return <p className="min-h-5 text-sm" />
  const others = found.count - 1
  if (others < 1) return <p className="text-sm text-ink-3">{t.sameNone}</p>
  return (
    <p className="text-sm">
      <Link to={PATHS.usage} search={{ fault, ...day }} className="text-accent hover:underline">
        {t.sameMore(format.number(others), found.isMore)}
      </Link>
    </p>
  )
}

/** How the cost came about, line by line, and who paid it. */
function RecordPrice({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = useTexts('record')
  const format = useFormat()
  const price = explainPrice(record)
  const { reasoning } = record.tokens
  // Refused before anything was tried: there is nothing to explain.
  if (price === null && record.attempts.length === 0) return null
  return (
    <RecordPart title={r.price}>
      {price === null ? (
        <p className="text-ink-2">{r.nothing}</p>
      ) : (
        <>
          <PriceLines price={price} />
          <div className="mt-3 grid gap-2">
            <ChargedTerms record={record} />
            {doubtsOf(record, r).map((doubt) => (
              <Notice key={doubt} tone="warn">
                {doubt}
              </Notice>
            ))}
            {!price.addsUp && <Notice tone="warn">{r.doesNotAddUp}</Notice>}
            {reasoning !== null && reasoning > 0 && (
              <p className="text-sm text-ink-2">{r.reasoning(format.number(reasoning))}</p>
            )}
          </div>
          <Payers record={record} />
        </>
      )}
    </RecordPart>
  )
}

function Payers({ record }: { readonly record: UsageRecordView }): ReactNode {
  const r = useTexts('record')
  const format = useFormat()
  const paid = record.paid_by_subscriptions
  const known = useQuery({ ...subscriptionsQuery, enabled: paid.length > 0 })
  const planOf = (id: string): string => known.data?.data.find((each) => each.id === id)?.plan ?? id
  const payers = [
    ...paid.map(({ subscription_id: id, usd }) => ({ id, name: r.subscription(planOf(id)), usd })),
    { id: 'balance', name: r.balance, usd: record.paid_by_balance },
  ].filter(({ usd }) => !isZero(usd))
  return (
    <div className="mt-4">
      <h4 className="text-sm text-ink-3">{r.who}</h4>
      {payers.length === 0 ? (
        <p>{r.free}</p>
      ) : (
        <dl className="mt-1 grid grid-cols-[1fr_auto] gap-x-4 gap-y-1">
          {payers.map((payer) => (
            <div key={payer.id} className="contents">
              <dt>
                <Link to={PATHS.billing} className="text-accent hover:underline">
                  {payer.name}
                </Link>
              </dt>
              <dd className="text-right">{format.exactMoney(payer.usd)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

/** Why the counts are not simply those that were reported, in sentences. */
function doubtsOf(
  { usage_notes: notes, usage_source: source, capped }: UsageRecordView,
  texts: Pick<PageTexts['record'], 'notes' | 'estimated' | 'capped'>,
): readonly string[] {
  if (notes.length > 0) return notes.map((note) => texts.notes[note])
  if (capped) return [texts.capped]
  return source === 'estimated' ? [texts.estimated] : []
}

/**
 * What this address sent without a key of this gateway of late: the list has no record of it. Nothing where there was none.
 * `readAtMs`: when the list was read, so that both are of one time.
 */
export function UnknownTries({ readAtMs }: { readonly readAtMs: number }): ReactNode {
  const t = useTexts('refusals').unknown
  const faults = useTexts('faults')
  const tries = useQuery(unknownTriesQuery(readAtMs)).data ?? []
  if (tries.length === 0) return null
  return (
    <Section title={t.title} lead={t.lead}>
      <div className="grid gap-2">
        {tries.map((tried, index) => (
          <Disclosure
            key={tried.id}
            title={faultTextOf(faults, tried.fault)?.title ?? tried.fault}
            summary={<RelativeTime time={tried.created_at} isLive />}
            // The newest; the others take one line each.
            isOpenAtFirst={index === 0}
          >
            <UnknownTryEntry tried={tried} />
          </Disclosure>
        ))}
      </div>
    </Section>
  )
}

/** One of them, with the program that it came from. */
function UnknownTryEntry({ tried }: { readonly tried: UnknownTry }): ReactNode {
  const t = useTexts('refusals').unknown
  const client = useClientNames()(tried.client)
  return (
    <UnknownTryText tried={tried} keyId={null}>
      <p className="mt-2 flex flex-wrap items-center gap-1.5 text-sm text-ink-2">
        <FaultCode code={tried.fault} />
        {client !== null && <Badge>{client}</Badge>}
        {tried.count > 1 && t.count(tried.count)}
      </p>
    </UnknownTryText>
  )
}
