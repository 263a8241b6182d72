import type { Me } from '../src/contract/me.ts'

/** One page of those who run the gateway. `routes.tsx` names its code, the shell's dictionaries its name. */
interface AdminPage {
  /** The address below `/console`. */
  readonly path: `/admin${string}`
  /** The icon of a page that can be gone to from anywhere; the other pages are reached from these. */
  readonly icon?: string
  /** The page of the rail that it is a tab of; absent: it stands in the rail itself. */
  readonly tabOf?: 'operations' | 'accounts' | 'settings'
  /** The roles that change something there; absent where nothing can be changed. */
  readonly changers?: readonly Me['role'][]
  /** The beginning of the key of its main query, for "Copy as API call". */
  readonly query: readonly string[]
  /** The dictionaries that are fetched while its code is on the way. */
  readonly texts: readonly string[]
}

/** The pages of those who run the gateway, in the order of the rail; tabs follow the page that they are of. */
export const ADMIN_PAGES = {
  operations: { path: '/admin', icon: 'shield', query: ['attention'], texts: ['operations'] },
  incidents: {
    path: '/admin/incidents',
    icon: 'warning',
    tabOf: 'operations',
    query: ['incidents'],
    texts: ['incidents', 'billing', 'faults', 'audit'],
  },
  requests: {
    path: '/admin/requests',
    icon: 'requests',
    query: ['usage', 'explore'],
    texts: ['requests'],
  },
  upstreams: {
    path: '/admin/upstreams',
    icon: 'globe',
    changers: ['operator', 'admin'],
    query: ['upstreams', 'all'],
    texts: ['upstreams', 'faults'],
  },
  upstream: { path: '/admin/upstreams/$upstreamId', query: ['upstreams', 'one'], texts: ['upstreams', 'faults'] },
  prices: {
    path: '/admin/models',
    icon: 'prices',
    changers: ['operator', 'finance', 'admin'],
    query: ['models'],
    texts: ['prices', 'models'],
  },
  priceImport: { path: '/admin/models/import', query: ['models'], texts: ['prices', 'models', 'priceImport'] },
  price: { path: '/admin/models/$modelId', query: ['models', 'one'], texts: ['prices', 'models', 'record'] },
  groups: {
    path: '/admin/groups',
    icon: 'groups',
    changers: ['operator', 'admin'],
    query: ['groups', 'choices'],
    texts: ['groups'],
  },
  accounts: {
    path: '/admin/accounts',
    icon: 'people',
    changers: ['finance', 'admin'],
    query: ['accounts', 'page'],
    texts: ['accounts'],
  },
  account: { path: '/admin/accounts/$accountId', query: ['accounts', 'one'], texts: ['accounts', 'oneAccount'] },
  plans: {
    path: '/admin/plans',
    icon: 'plans',
    tabOf: 'accounts',
    changers: ['finance', 'admin'],
    query: ['plans', 'all'],
    texts: ['plans', 'payments'],
  },
  codes: { path: '/admin/plans/codes', query: ['plans', 'each-code'], texts: ['plans', 'payments'] },
  settings: {
    path: '/admin/settings',
    icon: 'settings',
    changers: ['admin'],
    query: ['settings', 'values'],
    texts: ['settings'],
  },
  environment: {
    path: '/admin/environment',
    icon: 'terminal',
    tabOf: 'settings',
    query: ['settings', 'configuration'],
    texts: ['settings'],
  },
  announcements: {
    path: '/admin/announcements',
    icon: 'bell',
    tabOf: 'settings',
    changers: ['admin'],
    query: ['announcements', 'all'],
    texts: ['announcements', 'staff'],
  },
  audit: { path: '/admin/audit', icon: 'clock', tabOf: 'settings', query: ['audit'], texts: ['audit'] },
  system: {
    path: '/admin/system',
    icon: 'device',
    tabOf: 'settings',
    changers: ['admin'],
    query: ['system'],
    texts: ['system'],
  },
} as const satisfies Readonly<Record<string, AdminPage>>

type Pages = typeof ADMIN_PAGES

/** The paths of the pages by their names, for links. */
export const ADMIN_PATHS = Object.fromEntries(Object.entries(ADMIN_PAGES).map(([name, { path }]) => [name, path])) as {
  readonly [Name in keyof Pages]: Pages[Name]['path']
}

/** The name of a page that can be gone to from anywhere. */
export type AdminPageName = { [Name in keyof Pages]: Pages[Name] extends { icon: string } ? Name : never }[keyof Pages]

/** The name of a page that stands in the rail. */
export type RailPageName = {
  [Name in AdminPageName]: Pages[Name] extends { tabOf: string } ? never : Name
}[AdminPageName]

export interface MainAdminPage extends Pick<AdminPage, 'path' | 'changers'> {
  readonly name: AdminPageName
  readonly icon: Pages[AdminPageName]['icon']
  /** The page of the rail that is lit with it. */
  readonly rail: RailPageName
}

/** The pages that can be gone to from anywhere. */
export const MAIN_ADMIN_PAGES = Object.entries(ADMIN_PAGES).flatMap(([name, page]): MainAdminPage[] =>
  'icon' in page
    ? [{ ...page, name: name as AdminPageName, rail: ('tabOf' in page ? page.tabOf : name) as RailPageName }]
    : [],
)

/** The pages of the rail. */
export const ADMIN_RAIL = MAIN_ADMIN_PAGES.filter(({ name, rail }) => name === rail)

/** The first that stand at the bottom of narrow windows; the last place opens the others. */
export const ADMIN_BOTTOM = ADMIN_RAIL.slice(0, 4)

/**
 * The page that an address is on or below, with what ends in `/console` in front of it or not; the first page where no other
 * fits, and undefined outside of the administration.
 */
export function adminPageAt(path: string): MainAdminPage | undefined {
  const [, first = '', second = ''] = belowConsole(path).split(/[/?#]/)
  if (`/${first}` !== ADMIN_PATHS.operations) return undefined
  return MAIN_ADMIN_PAGES.find((page) => page.path === `/${first}/${second}`) ?? MAIN_ADMIN_PAGES[0]
}

/** The tabs among which a page stands: none of the page of one object, nor of a page that stands alone. */
export function tabsAt(path: string): readonly MainAdminPage[] {
  const [bare = ''] = belowConsole(path).split(/[?#]/)
  const here = MAIN_ADMIN_PAGES.find((page) => page.path === bare.replace(/\/$/, ''))
  const tabs = MAIN_ADMIN_PAGES.filter(({ rail }) => rail === here?.rail)
  return tabs.length > 1 ? tabs : []
}

function belowConsole(path: string): string {
  return path.replace(/^.*\/console(?=\/)/, '')
}
