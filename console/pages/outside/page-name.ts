import { ADMIN_PATHS } from '../../admin-paths.ts'
import type { SharedTexts } from '../../dictionaries/shared-en.ts'

type AdminPage =
  | 'operations'
  | 'requests'
  | 'incidents'
  | 'upstreams'
  | 'prices'
  | 'groups'
  | 'accounts'
  | 'plans'
  | 'announcements'
  | 'audit'
  | 'settings'
  | 'system'

/** The page that a path below `/console` leads to, one of an entry's included; undefined: there is none. */
export function pageAt(path: string): { page: keyof SharedTexts['pages'] } | { admin: AdminPage } | undefined {
  const [, first = '', second = ''] = path.split(/[/?#]/)
  if (`/${first}` === ADMIN_PATHS.operations)
    return { admin: ADMIN_PAGES.find((name) => ADMIN_PATHS[name] === `/${first}/${second}`) ?? 'operations' }
  const page = PAGES.find((name) => name === first)
  return page === undefined ? undefined : { page }
}

const ADMIN_PAGES: readonly AdminPage[] = [
  'requests',
  'incidents',
  'upstreams',
  'prices',
  'groups',
  'accounts',
  'plans',
  'announcements',
  'audit',
  'settings',
  'system',
]
const PAGES: readonly (keyof SharedTexts['pages'])[] = [
  'overview',
  'start',
  'keys',
  'usage',
  'models',
  'billing',
  'playground',
  'diagnose',
  'account',
]
