import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useLocation } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'
import type { Me } from '../../../src/contract/me.ts'
import { adminPageAt } from '../../admin-pages.ts'
import { meQuery } from '../../api/me.ts'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import NotFound from '../../shell/not-found.tsx'
import { usePageCall } from '../../shell/page-call.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'

/** What stands around each page of those who run the gateway: its call of the API, and why a page can only be read. To users it is not there. */
export default function AdminFrame(): ReactNode {
  const { data: me } = useSuspenseQuery(meQuery)
  const path = useLocation({ select: ({ pathname }) => pathname })
  const changers = adminPageAt(path)?.changers
  if (!me.rights.includes('staff')) return <NotFound />
  return (
    <>
      <div className="-mt-4 -mr-3 -mb-0.5 flex min-h-8.5 items-center justify-end text-sm lg:-mt-6 print:hidden">
        <Suspense fallback={null}>
          <CopyCall />
        </Suspense>
      </div>
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

/** Copies what the page asks the API for, with its filter, to be pasted into a shell. */
function CopyCall(): ReactNode {
  const t = useShellTexts().actions
  const call = usePageCall()
  return call === null ? null : <CopyButton look="quiet" what={t.copyCall} label={t.copyCall} text={call} />
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
