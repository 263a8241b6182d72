import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { meQuery } from '../api/me.ts'
import { seeingNow } from '../api/seeing.ts'
import { useMay } from '../api/use-may.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { withShellTexts } from '../dictionaries/shell.ts'
import { HOME } from '../paths.ts'
import { adoptPreferences } from '../preferences.ts'
import { useDensity } from '../table/use-table-choices.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { PageAnnouncer } from '../ui/page-announcer.tsx'
import { PageSkeleton } from '../ui/skeleton.tsx'
import { whenIdle } from '../ui/when-idle.ts'
import { AccountMenu } from './account-menu.tsx'
import { BellButton, HelpMenu, PaletteButton } from './shell-buttons.tsx'
import { IdentityGuard } from './identity-guard.tsx'
import { ConnectionStrip } from './connection-strip.tsx'
import { Logo } from './logo.tsx'
import { BottomNavigation, SideNavigation } from './navigation.tsx'
import type { ShellPart } from './shell-part.ts'
import { useShellKeys } from './use-shell-keys.ts'

const ShellParts = lazyPart(withShellTexts(() => import('./shell-parts.tsx')))

const SeeingBanner = lazyPart(
  withShellTexts(() => import('./seeing-banner.tsx')),
  null,
  { isForFew: true },
)

const AnnouncementList = lazyPart(withShellTexts(() => import('./announcements.tsx')))

/** What stands around every page after signing in. `inFront`: what an address may ask for in front of any of them. */
export default function Shell({ inFront }: { readonly inFront: ReactNode }): ReactNode {
  const t = useSharedTexts()
  const { data: me } = useSuspenseQuery(meQuery)
  const isSeeing = seeingNow() !== null
  useDensity()
  // An admin who sees another account keeps their own language and theme.
  useEffect(() => {
    if (!isSeeing) adoptPreferences(me)
  }, [me, isSeeing])
  const [open, setOpen] = useState<ShellPart | null>(null)
  const [unread, setUnread] = useState(0)
  // When it was wanted or the page has come to rest. After that it stays, so that it can fade.
  const [isThere, setThere] = useState(false)
  if (open !== null && !isThere) setThere(true)
  useEffect(() => {
    return whenIdle(() => setThere(true))
  }, [])
  useShellKeys(open, setOpen)
  const isStaff = useMay('staff')
  const bell = <BellButton unread={unread} onNear={ShellParts.load} onPress={() => setOpen('notices')} />
  return (
    <IdentityGuard me={me}>
      <a
        href="#content"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-md bg-accent px-3 py-2 text-accent-ink focus:translate-y-0"
      >
        {t.skipToContent}
      </a>
      <PageAnnouncer />
      <ShellFrame
        search={<PaletteButton look="field" onNear={ShellParts.load} onPress={() => setOpen('palette')} />}
        bell={bell}
        help={<HelpMenu onShortcuts={() => setOpen('shortcuts')} />}
        side={<AccountMenu me={me} side="top" />}
        isStaff={isStaff}
        top={
          <>
            <PaletteButton look="icon" onNear={ShellParts.load} onPress={() => setOpen('palette')} />
            {bell}
            <HelpMenu onShortcuts={() => setOpen('shortcuts')} />
            <AccountMenu me={me} side="bottom" />
          </>
        }
      >
        {inFront}
        {isSeeing && <SeeingBanner email={me.email} />}
        {isThere && <AnnouncementList kind="maintenance" />}
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </ShellFrame>
      {isThere && <ShellParts open={open} onOpen={setOpen} me={me} onUnread={setUnread} />}
    </IdentityGuard>
  )
}

/** The shell before it is known who is signed in: everything is where it will be. */
export function ShellSkeleton(): ReactNode {
  return (
    <ShellFrame
      search={<div className="h-8.5" />}
      bell={null}
      help={null}
      side={<div className="h-11" />}
      isStaff={false}
      top={<div className="h-11" />}
    >
      <PageSkeleton />
    </ShellFrame>
  )
}

function ShellFrame(props: {
  readonly search: ReactNode
  readonly bell: ReactNode
  readonly help: ReactNode
  readonly side: ReactNode
  readonly isStaff: boolean
  readonly top: ReactNode
  readonly children: ReactNode
}): ReactNode {
  return (
    <div className="min-h-dvh lg:grid print:block lg:grid-cols-[14.5rem_minmax(0,1fr)]">
      <aside className="sticky top-0 hidden h-dvh flex-col gap-4 border-r border-line bg-surface p-3 lg:flex print:hidden">
        <div className="mt-1 flex items-center">
          <Link to={HOME} activeOptions={{ exact: true }} className="mr-auto rounded-md px-2.5 py-1">
            <Logo />
          </Link>
          {props.bell}
          {props.help}
        </div>
        <SideNavigation isStaff={props.isStaff} search={props.search} />
        <div className="mt-auto">{props.side}</div>
      </aside>
      <header className="sticky top-0 z-30 flex min-h-14 items-center justify-between border-b border-line bg-surface px-4 lg:hidden print:hidden">
        <Link to={HOME} activeOptions={{ exact: true }} className="rounded-md py-2">
          <Logo />
        </Link>
        <div className="flex items-center">{props.top}</div>
      </header>
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-[90rem] min-w-0 px-4 pt-5 pb-24 outline-none sm:px-6 lg:px-8 lg:pt-8 lg:pb-12 print:max-w-none print:p-0"
      >
        <ConnectionStrip />
        {props.children}
      </main>
      <BottomNavigation isStaff={props.isStaff} />
    </div>
  )
}
