import { Link } from '@tanstack/react-router'
import { useId, type ReactNode } from 'react'
import { ADMIN_PATHS } from '../../admin-paths.ts'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { Icon } from '../../ui/icon.tsx'
import { ADMIN_GROUPS } from './admin-pages.ts'
import { useClosedGroups } from './closed-groups.ts'

/** The second part of the navigation, for those who run the place: groups that fold, behind an edge of their own colour. */
export default function AdminNavigation({ onGo }: { onGo?(): void }): ReactNode {
  const t = useShellTexts().admin
  const id = useId()
  const [closed, toggle] = useClosedGroups()
  return (
    <nav aria-label={t.navigation} className="grid gap-1 border-l-2 border-brass pl-1.5">
      {ADMIN_GROUPS.map((group) => {
        const isOpen = !closed.has(group.name)
        return (
          <div key={group.name}>
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={`${id}-${group.name}`}
              onClick={() => toggle(group.name)}
              className="flex min-h-7 touch:min-h-11 w-full items-center gap-1.5 rounded-md px-2 text-left text-xs font-medium text-ink-3 hover:text-ink"
            >
              <Icon name={isOpen ? 'down' : 'right'} className="size-3" />
              {t.groups[group.name]}
            </button>
            <div id={`${id}-${group.name}`} hidden={!isOpen}>
              {group.pages.map(({ name, icon }) => (
                <Link
                  key={name}
                  to={ADMIN_PATHS[name]}
                  activeOptions={{ exact: name === 'operations', includeSearch: false }}
                  {...(onGo === undefined ? {} : { onClick: onGo })}
                  className="flex min-h-8.5 touch:min-h-11 items-center gap-2.5 rounded-md px-2 text-ink-2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent forced-colors:aria-[current=page]:outline-2 forced-colors:aria-[current=page]:outline-[Highlight]"
                >
                  <Icon name={icon} />
                  {t.pages[name]}
                </Link>
              ))}
            </div>
          </div>
        )
      })}
    </nav>
  )
}
