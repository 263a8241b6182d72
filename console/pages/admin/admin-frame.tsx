import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import type { Me } from '../../../src/contract/me.ts'
import { adminPageAt, tabsAt } from '../../admin-pages.ts'
import { meQuery } from '../../api/me.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import NotFound from '../../shell/not-found.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'
import { AdminTabs } from './admin-tabs.tsx'

/** What stands around each page of those who run the gateway: its tabs, and why a page can only be read. To users it is not there. */
export default function AdminFrame(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const changers = adminPageAt(path)?.changers
  if (!me.rights.includes('staff')) return <NotFound />
  return (
    <>
      {tabsAt(path).length > 0 && (
        <div className="-mt-3 mb-6 min-h-9.5 touch:min-h-11.5 lg:-mt-5 print:hidden">
          <Suspense fallback={null}>
            <AdminTabs path={path} />
          </Suspense>
        </div>
      )}
      {changers !== undefined && !changers.includes(me.role) && (
        <Suspense fallback={null}>
          <ReadOnlyReason own={me.role} changers={changers} />
        </Suspense>
      )}
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
      </Suspense>
    </>
  )
}

/** Why a page can only be read by who is signed in, and which roles change something there. */
function ReadOnlyReason(props: { readonly own: Me['role']; readonly changers: readonly Me['role'][] }): ReactNode {
  const t = useTexts('staff')
  const changers = props.changers.map((role) => t.roles[role])
  return (
    <div className="mb-4">
      <Notice>{t.readOnly(t.roles[props.own], changers)}</Notice>
    </div>
  )
}
