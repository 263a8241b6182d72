import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { CapturedSummaryView, CaptureRead, CaptureView } from '../../../../src/contract/captures.ts'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { beginCapture, captureQuery, endCapture } from '../../../api/captures.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { CapturedRequest } from './captured-request.tsx'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { SkeletonLines } from '../../../ui/skeleton.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import { useNow } from '../../../ui/use-now.ts'

/** What an admin captures of a key, and has captured: off, none, running, or over. */
export default function KeyCapture(props: { readonly keyId: string; readonly name: string }): ReactNode {
  const t = useTexts('captures')
  const { keyId, name } = props
  const read = useQuery(captureQuery(keyId))
  const [isAsking, setAsking] = useState(false)
  const [opened, setOpened] = useState<string | null>(null)
  const { data } = read
  const mayBegin = data?.enabled === true && data.capture?.is_running !== true
  return (
    <Section
      title={t.title}
      lead={t.lead}
      {...(mayBegin ? { actions: <Button onClick={() => setAsking(true)}>{t.begin}</Button> } : {})}
    >
      <QueryView query={read} skeleton={<SkeletonLines count={2} />}>
        {(found) => <CaptureState keyId={keyId} read={found} onOpen={setOpened} />}
      </QueryView>
      {isAsking && (
        <BeginCapture
          keyId={keyId}
          name={name}
          replaces={(data?.capture ?? null) !== null}
          onClose={() => setAsking(false)}
        />
      )}
      {opened !== null && <CapturedRequest keyId={keyId} requestId={opened} onClose={() => setOpened(null)} />}
    </Section>
  )
}

function CaptureState(props: {
  readonly keyId: string
  readonly read: CaptureRead
  onOpen(requestId: string): void
}): ReactNode {
  const t = useTexts('captures')
  const { keyId, read, onOpen } = props
  const { enabled, capture, data } = read
  if (!enabled) {
    return (
      <p className="text-ink-2">
        {t.off}{' '}
        <Link to={ADMIN_PATHS.settings} className="text-accent underline underline-offset-2">
          {t.openSettings}
        </Link>
      </p>
    )
  }
  if (capture === null) return null
  return (
    <div className="grid grid-cols-1 gap-3">
      <Progress keyId={keyId} capture={capture} />
      {capture.missed > 0 && <Notice tone="warn">{t.missed(capture.missed)}</Notice>}
      {data.length === 0 ? (
        <p className="text-ink-2">{capture.is_running ? t.waiting : t.none}</p>
      ) : (
        <CapturedLines requests={data} onOpen={onOpen} />
      )}
    </div>
  )
}

/** How far it is, or how it ended, and until when there is anything to see. */
function Progress({ keyId, capture }: { readonly keyId: string; readonly capture: CaptureView }): ReactNode {
  const t = useTexts('captures')
  const format = useFormat()
  const nowMs = useNow()
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: () => endCapture(keyId),
    onSettled: () => queries.invalidateQueries({ queryKey: ['keys'] }),
  })
  if (!capture.is_running) {
    return (
      <Notice title={t.ended[capture.ended_because ?? 'time']}>
        {t.gone(format.relative(capture.gone_at, nowMs))}
      </Notice>
    )
  }
  return (
    <>
      <Notice
        tone="accent"
        title={t.running(capture.requests, capture.most_requests)}
        action={
          <Button isBusy={end.isPending} onClick={() => end.mutate()}>
            {t.end}
          </Button>
        }
      >
        {t.ends(format.relative(capture.ends_at, nowMs))}
      </Notice>
      {end.error !== null && <ErrorState error={end.error} />}
    </>
  )
}

/** The gateway's own number; the console takes types alone from there. */
const REQUESTS = 20
const MINUTES = 15

/** Asks before a capture begins: what it keeps, for how long, and who sees it. `replaces`: an earlier one, which is deleted. */
function BeginCapture(props: {
  readonly keyId: string
  readonly name: string
  readonly replaces: boolean
  onClose(): void
}): ReactNode {
  const t = useTexts('captures')
  const toast = useToast()
  const queries = useQueryClient()
  const { keyId, name, replaces, onClose } = props
  const begin = useMutation({
    mutationFn: () => beginCapture(keyId),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['keys'] })
      toast({ text: t.begun })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      isBusy={begin.isPending}
      error={begin.error}
      onConfirm={() => begin.mutate()}
      title={t.confirm.title(name)}
      action={t.confirm.action}
    >
      <ul className="grid list-disc gap-2 pl-5">
        <li>{t.confirm.what(REQUESTS, MINUTES)}</li>
        <li>{t.confirm.kept}</li>
        <li>{t.confirm.seen}</li>
        {replaces && <li>{t.confirm.replaced}</li>}
      </ul>
    </ConfirmDialog>
  )
}

/** Captured requests in short, each a button that opens it. */
function CapturedLines(props: {
  readonly requests: readonly CapturedSummaryView[]
  onOpen(requestId: string): void
}): ReactNode {
  const t = useTexts('captures')
  return (
    <ul aria-label={t.list} className="-mx-2 grid divide-y divide-line">
      {props.requests.map((each) => (
        <li key={each.request_id}>
          <Line request={each} onOpen={() => props.onOpen(each.request_id)} />
        </li>
      ))}
    </ul>
  )
}

function Line({ request, onOpen }: { readonly request: CapturedSummaryView; onOpen(): void }): ReactNode {
  const t = useTexts('captures')
  const format = useFormat()
  const { status } = request
  const what = request.model ?? request.path
  return (
    <button
      type="button"
      aria-label={t.open(`${what}, ${request.request_id}`)}
      onClick={onOpen}
      className="flex min-h-11 w-full min-w-0 items-center gap-3 rounded-md px-2 py-1.5 text-left hover:bg-sunken"
    >
      <span className="w-12 shrink-0">
        <Badge tone={toneOf(status)}>{status ?? t.noStatus}</Badge>
      </span>
      <span className="min-w-0 flex-1">
        <span className="line-clamp-1 font-medium">{what}</span>
        <span className="line-clamp-1 font-mono text-xs text-ink-3">{request.path}</span>
      </span>
      <span className="shrink-0 text-right text-sm text-ink-3">
        <span className="block">{format.duration(request.total_ms)}</span>
        <RelativeTime time={request.created_at} />
      </span>
    </button>
  )
}

function toneOf(status: number | null): Tone {
  if (status === null) return 'neutral'
  return status < 400 ? 'good' : 'bad'
}
