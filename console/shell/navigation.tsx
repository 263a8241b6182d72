import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { PATHS } from '../paths.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

type PageName = 'overview' | 'keys' | 'usage' | 'models' | 'billing' | 'playground'

interface NamedPage<Name> {
  readonly name: Name
  readonly icon: IconName
}

const PAGES: readonly NamedPage<PageName>[] = [
  { name: 'overview', icon: 'overview' },
  { name: 'keys', icon: 'key' },
  { name: 'usage', icon: 'usage' },
  { name: 'models', icon: 'models' },
  { name: 'billing', icon: 'billing' },
  { name: 'playground', icon: 'playground' },
]

/** Every page that can be gone to from anywhere. */
export const INSIDE_PAGES: readonly NamedPage<PageName | 'account'>[] = [...PAGES, { name: 'account', icon: 'account' }]

/** The pages that there is room for; the others are in the account menu. */
const AT_THE_BOTTOM: readonly string[] = ['overview', 'keys', 'usage', 'models', 'billing']

/** `hasMore`: the last place is taken by what opens the others. */
export function isAtTheBottom(name: string, hasMore: boolean): boolean {
  const place = AT_THE_BOTTOM.indexOf(name)
  return place >= 0 && !(hasMore && place === AT_THE_BOTTOM.length - 1)
}

/** Pages that the navigation does not show: next to the column at the side, the account alone. */
export function pagesBesideNavigation(of: {
  readonly isNarrow: boolean
  readonly hasMore: boolean
}): typeof INSIDE_PAGES {
  return INSIDE_PAGES.filter(({ name }) => (of.isNarrow ? !isAtTheBottom(name, of.hasMore) : name === 'account'))
}

/** The pages, in a column at the side. */
export function SideNavigation(): ReactNode {
  const t = useSharedTexts()
  return (
    <nav aria-label={t.navigation} className="grid gap-px">
      {PAGES.map(({ name, icon }) => (
        <Link
          key={name}
          to={PATHS[name]}
          className="relative flex min-h-7.5 touch:min-h-11 items-center gap-2.5 rounded-md px-2.5 text-sm text-ink-2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft forced-colors:aria-[current=page]:outline-2 forced-colors:aria-[current=page]:outline-[Highlight] aria-[current=page]:font-medium aria-[current=page]:text-accent"
        >
          <Icon name={icon} />
          {t.pages[name]}
        </Link>
      ))}
    </nav>
  )
}

/** The navigation under the thumb of a reader who holds a phone. */
export function BottomNavigation({ more }: { readonly more: ReactNode }): ReactNode {
  const t = useSharedTexts()
  return (
    <nav
      aria-label={t.navigation}
      className="fixed inset-x-0 bottom-0 z-30 grid grid-cols-5 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] lg:hidden print:hidden"
    >
      {PAGES.filter(({ name }) => isAtTheBottom(name, more !== null)).map(({ name, icon }) => (
        <Link key={name} to={PATHS[name]} className={AT_THE_BOTTOM_LOOK}>
          <Icon name={icon} className="size-5" />
          <span className="max-w-full truncate">{t.pages[name]}</span>
        </Link>
      ))}
      {more}
    </nav>
  )
}

/** Also of a button there. */
export const AT_THE_BOTTOM_LOOK =
  'flex min-h-14 min-w-0 flex-col items-center justify-center gap-0.5 border-t-2 border-transparent px-0.5 text-xs text-ink-2 forced-colors:border-[Canvas] aria-[current=page]:border-accent forced-colors:aria-[current=page]:border-[Highlight] aria-[current=page]:text-accent'
