import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ADMIN_BOTTOM, ADMIN_PATHS } from '../../admin-pages.ts'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { AT_THE_BOTTOM_LOOK, INSIDE_PAGES, isAtBottom, RAIL_ITEM } from '../rail.ts'
import { useSide } from '../sides.ts'
import AdminNavigation from './admin-navigation.tsx'

/** The bottom of narrow windows for those who run the gateway: the first pages of the administration on its side, and what opens all others. */
export default function MoreButton(): ReactNode {
  const t = useShellTexts().admin
  const { page, path } = useSide()
  const [isOpen, setOpen] = useState(false)
  const isFirst = page === undefined ? isAtBottom(path) : ADMIN_BOTTOM.some(({ name }) => name === page.rail)
  return (
    <>
      {page !== undefined &&
        ADMIN_BOTTOM.map(({ name, icon }) => (
          <Link
            key={name}
            to={ADMIN_PATHS[name]}
            activeOptions={{ exact: true, includeSearch: false }}
            aria-current={page.rail === name ? 'page' : undefined}
            className={AT_THE_BOTTOM_LOOK}
          >
            <Icon name={icon} className="size-5" />
            <span className="max-w-full truncate">{t.pages[name]}</span>
          </Link>
        ))}
      <button
        type="button"
        aria-haspopup="dialog"
        aria-current={isFirst ? undefined : 'page'}
        onClick={() => setOpen(true)}
        className={AT_THE_BOTTOM_LOOK}
      >
        <Icon name="more" className="size-5" />
        <span className="max-w-full truncate">{t.more}</span>
      </button>
      <MoreSheet isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

const IN_PAIRS = 'grid grid-cols-2 gap-x-1 gap-y-px'

/** The sheet of narrow windows with the pages of both sides. */
function MoreSheet({ isOpen, onClose }: { readonly isOpen: boolean; onClose(): void }): ReactNode {
  const shared = useSharedTexts()
  const t = useShellTexts().admin
  return (
    <Dialog isOpen={isOpen} size="small" title={t.more} onClose={onClose}>
      <h3 className="mb-1 px-2.5 text-xs font-normal text-ink-3">{shared.sides.admin}</h3>
      <AdminNavigation className={IN_PAIRS} onGo={onClose} />
      <h3 className="mt-4 mb-1 px-2.5 text-xs font-normal text-ink-3">{shared.sides.console}</h3>
      <nav aria-label={shared.navigation} className={IN_PAIRS}>
        {INSIDE_PAGES.map(({ name, icon }) => (
          <Link key={name} to={PATHS[name]} onClick={onClose} className={RAIL_ITEM}>
            <Icon name={icon} />
            <span className="min-w-0 truncate">{shared.pages[name]}</span>
          </Link>
        ))}
      </nav>
    </Dialog>
  )
}
