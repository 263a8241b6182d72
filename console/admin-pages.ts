import type { Me } from '../src/contract/me.ts'

/** One page of those who run the gateway. `routes.tsx` names its code, the shell's dictionaries its name. */
interface AdminPage {
  /** The address below `/console`. */
  readonly path: `/admin${string}`
  /** The navigation's group and icon of a page that it shows; the other pages are reached from these. */
  readonly group?: 'operate' | 'catalogue' | 'people' | 'system'
  readonly icon?: string
  /** The roles that change something there; absent where nothing can be changed. */
  readonly changers?: readonly Me['role'][]
  /** The beginning of the key of its main query, for "Copy as API call". */
  readonly query: readonly string[]
  /** The dictionaries that are fetched while its code is on the way. */
  readonly texts: readonly string[]
}

/** The pages of those who run the gateway, in the order of the navigation. */
export const ADMIN_PAGES = {
  operations: { path: '/admin', group: 'operate', icon: 'shield', query: ['attention'], texts: ['operations'] },
  requests: {
    path: '/admin/requests',
    group: 'operate',
    icon: 'usage',
    query: ['usage', 'explore'],
    texts: ['requests'],
  },
  incidents: {
    path: '/admin/incidents',
    group: 'operate',
    icon: 'warning',
    query: ['incidents'],
    texts: ['incidents', 'billing', 'faults', 'audit'],
  },
  upstreams: {
    path: '/admin/upstreams',
    group: 'catalogue',
    icon: 'globe',
    changers: ['operator', 'admin'],
    query: ['upstreams', 'all'],
    texts: ['upstreams', 'faults'],
  },
  upstream: { path: '/admin/upstreams/$upstreamId', query: ['upstreams', 'one'], texts: ['upstreams', 'faults'] },
  prices: {
    path: '/admin/models',
    group: 'catalogue',
    icon: 'models',
    changers: ['operator', 'finance', 'admin'],
    query: ['models'],
    texts: ['prices', 'models'],
  },
  priceImport: { path: '/admin/models/import', query: ['models'], texts: ['prices', 'models', 'priceImport'] },
  price: { path: '/admin/models/$modelId', query: ['models', 'one'], texts: ['prices', 'models', 'record'] },
  groups: {
    path: '/admin/groups',
    group: 'catalogue',
    icon: 'filter',
    changers: ['operator', 'admin'],
    query: ['groups', 'choices'],
    texts: ['groups'],
  },
  accounts: {
    path: '/admin/accounts',
    group: 'people',
    icon: 'account',
    changers: ['finance', 'admin'],
    query: ['accounts', 'page'],
    texts: ['accounts'],
  },
  account: { path: '/admin/accounts/$accountId', query: ['accounts', 'one'], texts: ['accounts', 'oneAccount'] },
  plans: {
    path: '/admin/plans',
    group: 'people',
    icon: 'billing',
    changers: ['finance', 'admin'],
    query: ['plans', 'all'],
    texts: ['plans', 'payments'],
  },
  codes: { path: '/admin/plans/codes', query: ['plans', 'each-code'], texts: ['plans', 'payments'] },
  announcements: {
    path: '/admin/announcements',
    group: 'people',
    icon: 'bell',
    changers: ['admin'],
    query: ['announcements', 'all'],
    texts: ['announcements', 'staff'],
  },
  audit: { path: '/admin/audit', group: 'system', icon: 'clock', query: ['audit'], texts: ['audit'] },
  settings: {
    path: '/admin/settings',
    group: 'system',
    icon: 'columns',
    changers: ['admin'],
    query: ['settings', 'values'],
    texts: ['settings'],
  },
  system: {
    path: '/admin/system',
    group: 'system',
    icon: 'device',
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

/** The name of a page that the navigation shows. */
export type AdminPageName = { [Name in keyof Pages]: Pages[Name] extends { group: string } ? Name : never }[keyof Pages]

interface MainAdminPage extends Required<Pick<AdminPage, 'group'>>, Pick<AdminPage, 'path' | 'changers'> {
  readonly name: AdminPageName
  readonly icon: Pages[AdminPageName]['icon']
}

const MAIN_PAGES = Object.entries(ADMIN_PAGES).flatMap(([name, page]): MainAdminPage[] =>
  'group' in page ? [{ ...page, name: name as AdminPageName }] : [],
)

export type AdminGroupName = MainAdminPage['group']

/** The groups of the navigation with their pages, both in the order in which they are shown. */
export const ADMIN_GROUPS = (['operate', 'catalogue', 'people', 'system'] as const).map((name) => ({
  name,
  pages: MAIN_PAGES.filter(({ group }) => group === name),
}))

/**
 * The page of the navigation that an address is on or below, with what ends in `/console` in front of it or not; the first page where
 * no other fits, and undefined outside of the administration.
 */
export function adminPageAt(path: string): MainAdminPage | undefined {
  const [, first = '', second = ''] = path.replace(/^.*\/console(?=\/)/, '').split(/[/?#]/)
  if (`/${first}` !== ADMIN_PATHS.operations) return undefined
  return MAIN_PAGES.find((page) => page.path === `/${first}/${second}`) ?? MAIN_PAGES[0]
}
