import type { IconName } from '../ui/icon.tsx'

type RailName = 'overview' | 'keys' | 'usage' | 'models' | 'billing' | 'playground'
type PageName = RailName | 'account'

interface NamedPage<Name> {
  readonly name: Name
  readonly icon: IconName
}

/** The pages of the rail. */
export const RAIL: readonly NamedPage<RailName>[] = [
  { name: 'overview', icon: 'overview' },
  { name: 'keys', icon: 'key' },
  { name: 'usage', icon: 'usage' },
  { name: 'models', icon: 'models' },
  { name: 'billing', icon: 'billing' },
  { name: 'playground', icon: 'playground' },
]

/** Every page that can be gone to from anywhere. */
export const INSIDE_PAGES: readonly NamedPage<PageName>[] = [...RAIL, { name: 'account', icon: 'account' }]

const AT_THE_BOTTOM = 5

/** The pages that there is room for at the bottom of narrow windows; `hasMore`: the last place opens the others. */
export function pagesAtBottom(hasMore: boolean): typeof RAIL {
  return RAIL.slice(0, hasMore ? AT_THE_BOTTOM - 1 : AT_THE_BOTTOM)
}

/** Whether an address is on or below one of the pages at the bottom, beside which there is one more place. */
export function isAtBottom(path: string): boolean {
  return pagesAtBottom(true).some(({ name }) => path.split('/')[1] === name)
}

/** Pages that the navigation does not show: next to the column at the side, the account alone. */
export function pagesBesideNavigation(of: {
  readonly isNarrow: boolean
  readonly hasMore: boolean
}): readonly NamedPage<PageName>[] {
  const shown = of.isNarrow ? pagesAtBottom(of.hasMore) : RAIL
  const rest = RAIL.filter((page) => !shown.includes(page))
  return [...rest, ...INSIDE_PAGES.filter(({ name }) => name === 'account')]
}

/** An item of the rail. */
export const RAIL_ITEM =
  'flex min-h-7.5 touch:min-h-11 items-center gap-2.5 rounded-md px-2.5 text-sm text-ink-2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent forced-colors:aria-[current=page]:outline-2 forced-colors:aria-[current=page]:outline-[Highlight]'

/** A page at the bottom of narrow windows, also of a button there. */
export const AT_THE_BOTTOM_LOOK =
  'flex min-h-14 min-w-0 flex-col items-center justify-center gap-0.5 border-t-2 border-transparent px-0.5 text-xs text-ink-2 forced-colors:border-[Canvas] aria-[current=page]:border-accent forced-colors:aria-[current=page]:border-[Highlight] aria-[current=page]:text-accent'
