import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { ADMIN_GROUPS, ADMIN_PATHS, type AdminGroupName } from '../../admin-pages.ts'
import { attentionQuery } from '../../api/attention.ts'
import { thingsToDo } from '../../api/things-to-do.ts'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { Icon } from '../../ui/icon.tsx'

/** The second part of the navigation, for those who run the place: groups that fold. */
export default function AdminNavigation({ onGo }: { onGo?(): void }): ReactNode {
  const t = useShellTexts().admin
  const id = useId()
  const [closed, toggle] = useClosedGroups()
  const own = useRef<HTMLElement>(null)
  // On a low window the column scrolls: what is open stands in sight.
  useEffect(() => {
    own.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <nav ref={own} aria-label={t.navigation} className="grid gap-1">
      {ADMIN_GROUPS.map((group) => {
        const isOpen = !closed.has(group.name)
        return (
          <div key={group.name}>
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={`${id}-${group.name}`}
              onClick={() => toggle(group.name)}
              className="flex min-h-6 touch:min-h-11 w-full items-center gap-1.5 rounded-md px-2.5 text-left text-[0.6875rem] font-medium text-ink-3 hover:text-ink"
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
                  className="flex min-h-7.5 touch:min-h-11 items-center gap-2.5 rounded-md px-2.5 text-sm text-ink-2 hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent forced-colors:aria-[current=page]:outline-2 forced-colors:aria-[current=page]:outline-[Highlight]"
                >
                  <Icon name={icon} />
                  <span className="min-w-0 flex-1 truncate">{t.pages[name]}</span>
                  {name === 'operations' && <AttentionCount />}
                </Link>
              ))}
            </div>
          </div>
        )
      })}
    </nav>
  )
}

const LOOKED_MS = 120_000

/** How much needs an admin, wherever they are; nothing while nothing does. */
function AttentionCount(): ReactNode {
  const t = useShellTexts().admin
  const { data } = useQuery({ ...attentionQuery, staleTime: LOOKED_MS / 2, refetchInterval: LOOKED_MS, retry: false })
  const count = thingsToDo(data?.data ?? []).length
  if (count === 0) return null
  return (
    <span
      // The name of the page stays its own: it is said as a description.
      aria-hidden="true"
      title={t.attention(count)}
      className="min-w-5 rounded-full bg-warn-soft px-1.5 text-center text-xs font-medium text-warn"
    >
      {count}
    </span>
  )
}

const STORED_AS = 'tollgate.admin.closed'

/** The folded groups of the navigation, remembered by this browser, and what folds or unfolds one. */
function useClosedGroups(): readonly [ReadonlySet<AdminGroupName>, (name: AdminGroupName) => void] {
  const [closed, setClosed] = useState(remembered)
  const toggle = (name: AdminGroupName): void => {
    const next = new Set(closed)
    if (!next.delete(name)) next.add(name)
    setClosed(next)
    remember(next)
  }
  return [closed, toggle]
}

/** A browser may forbid storage altogether; then all are open at each visit. */
function remembered(): ReadonlySet<AdminGroupName> {
  try {
    const names = localStorage.getItem(STORED_AS)?.split(' ') ?? []
    return new Set(ADMIN_GROUPS.map(({ name }) => name).filter((name) => names.includes(name)))
  } catch {
    return new Set()
  }
}

function remember(closed: ReadonlySet<AdminGroupName>): void {
  try {
    localStorage.setItem(STORED_AS, [...closed].join(' '))
  } catch {
    // They are open again at the next visit.
  }
}
