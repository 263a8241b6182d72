import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import type { UsageRecordView } from '../../../../src/contract/usage.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { lastGoodRequestQuery } from '../../../api/first-steps.ts'
import { keysQuery } from '../../../api/keys.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { PasswordNotice } from '../../../shell/password-notice.tsx'
import type { FlatSearch } from '../../../table/table-search.ts'
import { Button } from '../../../ui/button.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ConnectProvider } from './connect-provider.tsx'
import { FirstCall } from './first-call.tsx'
import { NextSteps } from './next-steps.tsx'

/** Enough to find the key of the last request, and the newest. */
const KEYS_LOOKED_AT = { status: 'active', sort: 'last_used_at', order: 'desc', limit: 50 } as const

interface FirstState {
  readonly keys: readonly ApiKeyView[]
  /** The last request that went well: refused attempts do not count as connected. */
  readonly last: UsageRecordView | null
}

/** The way to a first call; once there was one, a card and what comes next. */
export default function StartPage(): ReactNode {
  const t = useTexts('start')
  const shared = useSharedTexts()
  const keys = useQuery({ ...keysQuery(KEYS_LOOKED_AT), refetchOnWindowFocus: false })
  // What was found at arrival holds: a key that is made here must not turn the page over.
  const search: FlatSearch = useSearch({ strict: false })
  const [isAnother, setAnother] = useState(search['another'] !== undefined)
  const [found, setFound] = useState<FirstState>()
  const last = useQuery({ ...lastGoodRequestQuery, refetchOnWindowFocus: false })
  // The form stands on the groups: one wait for both, so that nothing moves when they come.
  const areGroupsKnown = !useQuery(groupsQuery).isPending
  if (found === undefined && keys.data !== undefined && last.data !== undefined && areGroupsKnown) {
    const [record] = last.data.data
    setFound({ keys: keys.data.data, last: record ?? null })
  }
  const used = found?.keys.find((key) => key.id === found.last?.key_id)
  const isConnected = used !== undefined && !isAnother
  const error = keys.error ?? last.error
  return (
    <div className="max-w-3xl">
      <PageHeader title={shared.pages.start} lead={isConnected ? t.ready.pageLead : t.lead} />
      <PasswordNotice />
      {found === undefined ? (
        error === null ? (
          <StepsSkeleton />
        ) : (
          <ErrorState error={error} onRetry={() => void Promise.all([keys.refetch(), last.refetch()])} />
        )
      ) : isConnected ? (
        <Connected name={used.name} at={found.last?.created_at ?? null} onAnother={() => setAnother(true)} />
      ) : (
        <FirstCall unusedKey={isAnother ? null : newest(found.keys)} />
      )}
      {found !== undefined && <ConnectProvider />}
    </div>
  )
}

/** Five steps on their way, each as high as its line will be. */
function StepsSkeleton(): ReactNode {
  return (
    <div className="grid gap-6 py-1" aria-hidden="true">
      {Array.from({ length: STEPS }, (_, index) => (
        <div key={index} className="flex gap-4">
          <Skeleton className="size-7 shrink-0 rounded-full" />
          <div className="grid flex-1 gap-2.5 pt-1">
            <Skeleton className="h-5 w-44" />
            <Skeleton className="h-4 w-full max-w-sm" />
          </div>
        </div>
      ))}
    </div>
  )
}

const STEPS = 5

/** The steps, folded: there is a key that works. */
function Connected(props: { readonly name: string; readonly at: string | null; onAnother(): void }): ReactNode {
  const t = useTexts('start').ready
  return (
    <>
      <section className="card mb-6 flex flex-wrap items-center gap-x-4 gap-y-3 p-4 sm:p-5">
        <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-good-soft text-good">
          <Icon name="check" className="size-5" />
        </span>
        <div className="min-w-0 flex-1 basis-56">
          <h2 className="text-lg">{t.title}</h2>
          <p className="text-ink-2">
            {t.lead(props.name)} <RelativeTime time={props.at} />
          </p>
        </div>
        <Button look="primary" icon="plus" onClick={props.onAnother}>
          {t.another}
        </Button>
      </section>
      <NextSteps />
    </>
  )
}

function newest(keys: readonly ApiKeyView[]): ApiKeyView | null {
  return [...keys].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))[0] ?? null
}
