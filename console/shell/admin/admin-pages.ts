import type { ADMIN_PATHS } from '../../admin-paths.ts'
import type { IconName } from '../../ui/icon.tsx'

interface AdminGroup {
  readonly name: 'operate' | 'catalogue' | 'people' | 'system'
  readonly pages: readonly AdminPage[]
}

interface AdminPage {
  readonly name: AdminPageName
  readonly icon: IconName
}

export type AdminGroupName = AdminGroup['name']
export type AdminPageName = Exclude<
  keyof typeof ADMIN_PATHS,
  'upstream' | 'price' | 'priceImport' | 'account' | 'codes'
>

/** The pages of admins as the navigation shows them: only those that are there. */
export const ADMIN_GROUPS: readonly AdminGroup[] = [
  {
    name: 'operate',
    pages: [
      { name: 'operations', icon: 'shield' },
      { name: 'requests', icon: 'usage' },
      { name: 'incidents', icon: 'warning' },
    ],
  },
  {
    name: 'catalogue',
    pages: [
      { name: 'upstreams', icon: 'globe' },
      { name: 'prices', icon: 'models' },
      { name: 'groups', icon: 'filter' },
    ],
  },
  {
    name: 'people',
    pages: [
      { name: 'accounts', icon: 'account' },
      { name: 'plans', icon: 'billing' },
      { name: 'announcements', icon: 'bell' },
    ],
  },
  {
    name: 'system',
    pages: [
      { name: 'audit', icon: 'clock' },
      { name: 'settings', icon: 'columns' },
      { name: 'system', icon: 'device' },
    ],
  },
]
