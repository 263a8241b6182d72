import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { ADMIN_PATHS, tabsAt } from '../../admin-pages.ts'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { TAB_ROW, tabClass, useTabRow } from '../../ui/tab-row.ts'

/** The pages among which one stands in the rail, above the head of each of them. */
export function AdminTabs({ path }: { readonly path: string }): ReactNode {
  const t = useShellTexts().admin.pages
  const own = useRef<HTMLElement>(null)
  const row = useTabRow(path, own)
  const tabs = tabsAt(path)
  const here = tabs.find((tab) => path.replace(/\/$/, '') === tab.path)
  if (here === undefined) return null
  return (
    <nav ref={row} aria-label={t[here.rail]} className={TAB_ROW}>
      {tabs.map(({ name }) => (
        <Link
          key={name}
          to={ADMIN_PATHS[name]}
          activeOptions={{ exact: true, includeSearch: false }}
          className={tabClass(name === here.name)}
        >
          {t[name]}
        </Link>
      ))}
    </nav>
  )
}
