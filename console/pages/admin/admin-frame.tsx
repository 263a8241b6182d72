import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { meQuery } from '../../api/me.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { CopyApiCall } from './copy-api-call.tsx'
import { ReadOnlyReason } from './read-only-reason.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'

/** What stands around each page of those who run the gateway: an edge by which they know where they are, and why a page can only be read. To users it is not there. */
export default function AdminFrame(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const path = useLocation({ select: ({ pathname }) => pathname })
  if (!me.rights.includes('staff')) return <NotFound />
  return (
    <>
      <div className="-mt-4 -mr-3 -mb-0.5 flex min-h-8.5 items-center justify-between text-sm lg:-mt-6 print:hidden">
        <div aria-hidden="true" className="h-0.75 w-12 rounded-full bg-brass" />
        <CopyApiCall />
      </div>
      <ReadOnlyReason path={path} />
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
      </Suspense>
    </>
  )
}
