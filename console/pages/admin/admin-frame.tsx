import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import { meQuery } from '../../api/me.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'

/** What stands around each page of admins: an edge by which they know where they are. To others it is not there. */
export function AdminFrame(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  if (me.role !== 'admin') return <NotFound />
  return (
    <>
      <div aria-hidden="true" className="-mt-2 mb-3 h-0.75 w-12 rounded-full bg-brass lg:-mt-4 print:hidden" />
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
      </Suspense>
    </>
  )
}
