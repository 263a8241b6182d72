import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { withShellTexts } from '../dictionaries/shell.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { PATHS } from '../paths.ts'
import { classNames } from '../ui/class-names.ts'
import { Icon } from '../ui/icon.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useHiddenEdges } from '../ui/use-hidden-edges.ts'
import { AT_THE_BOTTOM_LOOK, pagesAtBottom, RAIL, RAIL_ITEM } from './rail.ts'
import { type Side, useLastPages, useSide } from './sides.ts'

const ofAdmins = <Props extends object>(load: () => Promise<{ readonly default: (props: Props) => ReactNode }>) =>
  lazyPart(withShellTexts(load), null, { isForFew: true })
const AdminNavigation = ofAdmins(() => import('./admin/admin-navigation.tsx'))
const AttentionCount = ofAdmins(() => import('./admin/attention-count.tsx'))
const MoreButton = ofAdmins(() => import('./admin/more-button.tsx'))

/** The column at the side: for those who run the gateway one side of it at a time. */
export function SideNavigation(props: { readonly isStaff: boolean; readonly search: ReactNode }): ReactNode {
  const { side } = useSide()
  const watch = useHiddenEdges('column')
  return (
    <>
      {props.isStaff && <SideSwitch />}
      {props.search}
      <div ref={watch} className="fading-row -mx-1 min-h-0 overflow-y-auto p-1 [--fade:to_bottom]">
        {props.isStaff && side === 'admin' ? <AdminNavigation /> : <OwnNavigation />}
      </div>
    </>
  )
}

/** The pages that everyone has. */
function OwnNavigation(): ReactNode {
  const t = useSharedTexts()
  return (
    <nav aria-label={t.navigation} className="grid gap-px">
      {RAIL.map(({ name, icon }) => (
        <Link key={name} to={PATHS[name]} className={RAIL_ITEM}>
          <Icon name={icon} />
          {t.pages[name]}
        </Link>
      ))}
    </nav>
  )
}

/** Leads to the page of the other side that was open last. */
function SideSwitch(): ReactNode {
  const t = useSharedTexts()
  const { side } = useSide()
  const last = useLastPages()
  // There, too, where the gateway cannot be reached by the time that the other side is wanted.
  useEffect(() => {
    AdminNavigation.load()
  }, [])
  return (
    <nav aria-label={t.sides.label} className="flex rounded-md border border-line bg-sunken p-0.5">
      {(['console', 'admin'] satisfies Side[]).map((each) => (
        <Link
          key={each}
          to={last[each].pathname as '/'}
          search={last[each].search}
          activeOptions={{ exact: true }}
          aria-current={each === side ? 'true' : undefined}
          className={classNames(
            'flex min-h-7 touch:min-h-10 flex-1 items-center justify-center gap-1.5 rounded-sm border px-2.5 text-sm',
            each === side
              ? 'border-line bg-surface font-medium text-ink forced-colors:outline-2 forced-colors:outline-[Highlight]'
              : 'border-transparent text-ink-2 hover:text-ink',
          )}
        >
          {t.sides[each]}
          {each === 'admin' && side === 'console' && <AttentionCount />}
        </Link>
      ))}
    </nav>
  )
}

/** The navigation under the thumb of a reader who holds a phone. */
export function BottomNavigation({ isStaff }: { readonly isStaff: boolean }): ReactNode {
  const t = useSharedTexts()
  const { side } = useSide()
  const isAdmin = isStaff && side === 'admin'
  return (
    <nav
      aria-label={isAdmin ? t.sides.admin : t.navigation}
      className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      {!isAdmin &&
        pagesAtBottom(isStaff).map(({ name, icon }) => (
          <Link key={name} to={PATHS[name]} className={AT_THE_BOTTOM_LOOK}>
            <Icon name={icon} className="size-5" />
            <span className="max-w-full truncate">{t.pages[name]}</span>
          </Link>
        ))}
      {isStaff && <MoreButton />}
    </nav>
  )
}
