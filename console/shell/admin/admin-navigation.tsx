import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ADMIN_PATHS, ADMIN_RAIL } from '../../admin-pages.ts'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { Icon } from '../../ui/icon.tsx'
import { RAIL_ITEM } from '../rail.ts'
import { useSide } from '../sides.ts'
import AttentionCount from './attention-count.tsx'

/** The pages of those who run the gateway; a page is lit with its tabs and with the pages below it. */
export default function AdminNavigation(props: { readonly className?: string; onGo?(): void }): ReactNode {
  const t = useShellTexts().admin
  const { page } = useSide()
  return (
    <nav aria-label={t.navigation} className={props.className ?? 'grid gap-px'}>
      {ADMIN_RAIL.map(({ name, icon }) => (
        <Link
          key={name}
          to={ADMIN_PATHS[name]}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={page?.rail === name ? 'page' : undefined}
          {...(props.onGo === undefined ? {} : { onClick: props.onGo })}
          className={RAIL_ITEM}
        >
          <Icon name={icon} />
          <span className="min-w-0 flex-1 truncate">{t.pages[name]}</span>
          {name === 'operations' && <AttentionCount />}
        </Link>
      ))}
    </nav>
  )
}
