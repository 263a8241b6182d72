import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { InstanceInfo } from '../../../src/contract/administration.ts'
import { instanceQuery } from '../../api/instance.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { PATHS, PUBLIC_PAGES } from '../../paths.ts'
import { useDensity } from '../../table/use-table-choices.ts'
import { ConnectionStrip } from '../../shell/connection-strip.tsx'
import { Logo } from '../../shell/logo.tsx'
import { OutsideAnnouncements } from '../outside/outside-announcements.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { PageSkeleton } from '../../ui/skeleton.tsx'
import { OutsideFoot } from '../outside/outside-foot.tsx'

type PublicPage = keyof InstanceInfo['public_pages']

/** What stands around each page that needs no sign-in, as far as the settings have it on. */
export function PublicFrame(props: {
  readonly page: PublicPage
  readonly title: string
  readonly lead: string
  readonly children: ReactNode
}): ReactNode {
  const t = useTexts('public')
  const names = useTexts('outside').publicPages
  const instance = useQuery(instanceQuery)
  useDensity()
  const on = instance.data?.public_pages
  return (
    <div className="flex min-h-dvh flex-col overflow-x-clip">
      <header className="border-b border-line">
        <div className="mx-auto flex max-w-5xl flex-wrap items-center justify-between gap-x-6 gap-y-1 px-4 py-3 sm:px-6">
          <Logo />
          <nav aria-label={names.navigation} className="flex flex-wrap items-center gap-x-1 gap-y-1 max-sm:w-full">
            {PUBLIC_PAGES.filter(({ name }) => on?.[name] === true).map(({ name, path }) => (
              <Link key={name} to={path} activeOptions={{ includeSearch: false }} className={LINK_LOOK}>
                {names.pages[name]}
              </Link>
            ))}
            <Link to={PATHS.signIn} className={LINK_LOOK}>
              {t.signIn}
            </Link>
          </nav>
        </div>
      </header>
      <main id="content" className="mx-auto w-full max-w-5xl min-w-0 flex-1 px-4 pt-6 pb-10 sm:px-6">
        <ConnectionStrip />
        <OutsideAnnouncements />
        <QueryView query={instance} skeleton={<PageSkeleton />}>
          {({ public_pages: pages }) =>
            pages[props.page] ? (
              <>
                <PageHeader title={props.title} lead={props.lead} />
                {props.children}
              </>
            ) : (
              <PageHeader title={t.off.title} lead={t.off.text} />
            )
          }
        </QueryView>
      </main>
      <OutsideFoot />
    </div>
  )
}

const LINK_LOOK =
  'inline-flex min-h-8.5 touch:min-h-11 items-center rounded-md px-2.5 text-ink-2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent'
