import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { firstStepsQuery } from '../../../api/first-steps.ts'
import { faultTextOf } from '../../../dictionaries/fault-text.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { ClientReceived } from '../../faults/client-received.tsx'
import { FaultFixes } from '../../faults/fault-fixes.tsx'
import { type UnknownTry, UnknownTryText } from '../../faults/unknown-try.tsx'
import { useFaultText } from '../../faults/use-fault-text.ts'
import { useFormat } from '../../../format/use-format.ts'
import { Badge } from '../../../ui/badge.tsx'
import { FaultCode } from '../../../ui/fault-code.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { useClientNames } from '../../client-names.ts'
import { liveStateOf, type Try } from './live-state.ts'

/** How long without any try it takes until the page says where to look. */
const PATIENCE_MS = 60_000

/** Waits for the first request of a key: says what is wrong with those that fail, and hands over the one that works. */
export function LiveLine(props: {
  readonly keyId: string
  /** RFC 3339, by the server's clock. */
  readonly since: string
  onDone(record: Try): void
}): ReactNode {
  const t = useTexts('start').record
  const steps = useQuery(firstStepsQuery(props.since))
  const state = liveStateOf(steps.data?.data ?? [], props.keyId)
  const isLong = useHasPassed(PATIENCE_MS)
  const { onDone } = props
  useEffect(() => {
    if (state.kind === 'done') onDone(state.record)
  }, [state.kind])
  const unknown = steps.data?.unrecognized ?? []
  const newest = state.kind === 'failed' ? state.newest.created_at : ''
  // Both are RFC 3339 in UTC, so their order is that of their texts.
  if (unknown[0] !== undefined && unknown[0].created_at > newest)
    return <UnknownTries tries={unknown} keyId={props.keyId} />
  if (state.kind === 'failed') return <FailedTry {...props} newest={state.newest} earlier={state.earlier} />
  return (
    <div role="status" className="flex gap-3 rounded-lg border border-line bg-sunken px-3 py-3">
      <Pulse />
      <div className="min-w-0">
        <p className="font-medium">{t.waiting}</p>
        <p className="text-sm text-ink-3">
          {steps.error !== null ? t.unreachable : isLong ? t.nothingYet : t.waitingHint}
        </p>
      </div>
    </div>
  )
}

/** How long after a key press or a click the page does not move by itself. */
const STILL_MS = 2_000

/** Brings an element into sight when `name` changes, unless the reader is at work on the page. */
function useIntoSight(name: string): RefObject<HTMLDivElement | null> {
  const element = useRef<HTMLDivElement>(null)
  const lastActMs = useRef(0)
  useEffect(() => {
    const act = (): void => {
      lastActMs.current = performance.now()
    }
    const acts = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
    for (const each of acts) addEventListener(each, act, { passive: true })
    return () => {
      for (const each of acts) removeEventListener(each, act)
    }
  }, [])
  useEffect(() => {
    if (performance.now() - lastActMs.current > STILL_MS) element.current?.scrollIntoView({ block: 'nearest' })
  }, [name])
  return element
}

/** What arrived and failed: why, what to do, and that it is worth another try. */
function FailedTry(props: { readonly keyId: string; readonly newest: Try; readonly earlier: number }): ReactNode {
  const t = useTexts('start').record
  const format = useFormat()
  const { newest } = props
  const text = useFaultText(newest)
  const element = useIntoSight(newest.id)
  const nameOf = useClientNames()
  const facts = [newest.model, nameOf(newest.client)].filter((fact) => fact !== null && fact !== '')
  return (
    <div ref={element} role="status" className="scroll-mb-24 rounded-lg border border-bad bg-bad-soft px-3 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-2">
        <Icon name="warning" className="text-bad" />
        <span className="text-bad">{t.refused}</span>
        <span className="ml-auto" title={format.second(newest.created_at)}>
          <RelativeTime time={newest.created_at} isLive />
        </span>
      </div>
      <p className="mt-2 font-medium">{text?.title ?? newest.fault ?? newest.outcome}</p>
      <p className="mt-0.5">{text?.cause ?? (newest.fault === null ? null : t.unknownFault)}</p>
      {text !== null && <p className="mt-1.5 font-medium">{text.remedy}</p>}
      {newest.key_id !== null && newest.key_id !== props.keyId && (
        <p className="mt-1.5">{t.withOtherKey(newest.key_name ?? newest.key_id)}</p>
      )}
      <div className="mt-2 flex flex-wrap items-center gap-1.5">
        {newest.fault !== null && <FaultCode code={newest.fault} />}
        {facts.map((fact) => (
          <Badge key={fact}>{fact}</Badge>
        ))}
        {props.earlier > 0 && <span className="text-sm text-ink-2">{t.earlier(props.earlier)}</span>}
      </div>
      <div className="mt-2.5 grid gap-2.5">
        <FaultFixes request={newest} />
        <ClientReceived request={newest} />
      </div>
      <p className="mt-2.5 flex items-center gap-2 border-t border-line pt-2.5 text-sm text-ink-2">
        <Pulse /> {t.stillWaiting}
      </p>
    </div>
  )
}

/** What came from this address with no key of this gateway: most likely the client that is being set up. */
function UnknownTries(props: { readonly tries: readonly UnknownTry[]; readonly keyId: string }): ReactNode {
  const t = useTexts('start').record
  const faults = useTexts('faults')
  const nameOf = useClientNames()
  const [newest, ...others] = props.tries
  const element = useIntoSight(newest?.id ?? '')
  if (newest === undefined) return null
  const client = nameOf(newest.client)
  return (
    <div ref={element} role="status" className="scroll-mb-24 rounded-lg border border-bad bg-bad-soft px-3 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-ink-2">
        <Icon name="warning" className="text-bad" />
        <span className="text-bad">{t.fromAddress(newest.count)}</span>
        <span className="ml-auto">
          <RelativeTime time={newest.created_at} isLive />
        </span>
      </div>
      <p className="mt-2 font-medium">{faultTextOf(faults, newest.fault)?.title ?? newest.fault}</p>
      <UnknownTryText tried={newest} keyId={props.keyId}>
        <p className="mt-1.5 text-sm text-ink-2">{t.maybeOthers}</p>
        <div className="mt-2 flex flex-wrap items-center gap-1.5">
          <FaultCode code={newest.fault} />
          {client !== null && <Badge>{client}</Badge>}
          {others.map((each) => (
            <span key={each.id} className="text-sm text-ink-2">
              {t.alsoRefused(faultTextOf(faults, each.fault)?.title ?? each.fault, each.count)}
            </span>
          ))}
        </div>
      </UnknownTryText>
      <p className="mt-2.5 flex items-center gap-2 border-t border-line pt-2.5 text-sm text-ink-2">
        <Pulse /> {t.stillWaiting}
      </p>
    </div>
  )
}

/** A dot that shows that the page is checking. Still when less motion is asked for. */
function Pulse(): ReactNode {
  return (
    <span aria-hidden="true" className="relative mt-1.5 flex size-2.5 shrink-0 self-start">
      <span className="absolute inset-0 animate-ping rounded-full bg-brass opacity-60" />
      <span className="relative size-2.5 rounded-full bg-brass" />
    </span>
  )
}

function useHasPassed(waitMs: number): boolean {
  const [hasPassed, setPassed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setPassed(true), waitMs)
    return () => clearTimeout(timer)
  }, [waitMs])
  return hasPassed
}
