import { useState, type ReactNode } from 'react'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { Icon } from '../../ui/icon.tsx'
import { AT_THE_BOTTOM_LOOK } from '../navigation.tsx'
import MoreSheet from './more-sheet.tsx'

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
