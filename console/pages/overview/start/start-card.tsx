import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ApiKeyView } from '../../../../src/contract/keys.ts'
import { groupsQuery } from '../../../api/groups.ts'
import { keysQuery } from '../../../api/keys.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { FirstCall } from './first-call.tsx'

const KEYS_LOOKED_AT = { status: 'active', limit: 50 } as const

/** The way from no key to a first call, or to one of another client: `isAnother` begins with a new key. */
export default function StartCard({ isAnother }: { readonly isAnother: boolean }): ReactNode {
  const keys = useQuery({ ...keysQuery(KEYS_LOOKED_AT), refetchOnWindowFocus: false })
  // What was found at arrival holds: a key that is made here must not turn the card over.
  const [found, setFound] = useState<readonly ApiKeyView[]>()
  // The form stands on the groups: one wait for both, so that nothing moves when they come.
  const areGroupsKnown = !useQuery(groupsQuery).isPending
  if (found === undefined && keys.data !== undefined && areGroupsKnown) setFound(keys.data.data)
  return (
    <div className="max-w-3xl">
      {found !== undefined ? (
        <FirstCall unusedKey={isAnother ? null : newest(found)} />
      ) : keys.error === null ? (
        <StepsSkeleton />
      ) : (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      )}
    </div>
  )
}

/** Five steps on their way, each as high as its line will be. */
export function StepsSkeleton(): ReactNode {
  return (
    <div className="card grid gap-6 p-4 sm:p-6" aria-hidden="true">
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

function newest(keys: readonly ApiKeyView[]): ApiKeyView | null {
  return [...keys].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at))[0] ?? null
}
