import { adminPageAt, type AdminPageName } from '../../admin-pages.ts'
import type { SharedTexts } from '../../dictionaries/shared-en.ts'

/** The page that a path below `/console` leads to, that of one entry's page included; undefined: there is none. */
export function pageAt(path: string): { page: keyof SharedTexts['pages'] } | { admin: AdminPageName } | undefined {
  const admin = adminPageAt(path)
  if (admin !== undefined) return { admin: admin.name }
  const page = PAGES.find((name) => path.split(/[/?#]/)[1] === name)
  return page === undefined ? undefined : { page }
}

const PAGES: readonly (keyof SharedTexts['pages'])[] = [
  'overview',
  'keys',
  'usage',
  'models',
  'billing',
  'playground',
  'account',
  'device',
]
