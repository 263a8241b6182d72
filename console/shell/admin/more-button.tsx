import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { useSharedTexts } from '../../dictionaries/texts.ts'
import { PATHS } from '../../paths.ts'
import AdminNavigation from './admin-navigation.tsx'
import { AT_THE_BOTTOM_LOOK, INSIDE_PAGES, isAtTheBottom } from '../navigation.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'

/** The last place at the bottom of narrow windows, for admins. */
export default function MoreButton(): ReactNode {
  const t = useShellTexts().admin
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)} className={AT_THE_BOTTOM_LOOK}>
        <Icon name="more" className="size-5" />
        <span className="max-w-full truncate">{t.more}</span>
      </button>
      <MoreSheet isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  )
}

/** The sheet of narrow windows with every page that has no room at the bottom, and those of admins. */
function MoreSheet({ isOpen, onClose }: { readonly isOpen: boolean; onClose(): void }): ReactNode {
  const shared = useSharedTexts()
  const t = useShellTexts().admin
  return (
    <Dialog isOpen={isOpen} size="small" title={t.more} onClose={onClose}>
      <nav aria-label={shared.navigation} className="mb-3 grid grid-cols-2 gap-1">
        {INSIDE_PAGES.filter(({ name }) => !isAtTheBottom(name, true)).map(({ name, icon }) => (
          <Link
            key={name}
            to={PATHS[name]}
            onClick={onClose}
            className="flex min-h-11 items-center gap-2.5 rounded-md px-2 text-ink-2 hover:bg-sunken aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent"
          >
            <Icon name={icon} />
            {shared.pages[name]}
          </Link>
        ))}
      </nav>
      <AdminNavigation onGo={onClose} />
    </Dialog>
  )
}
