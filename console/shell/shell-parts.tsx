import { useEffect, type ReactNode } from 'react'
import type { Me } from '../../src/contract/me.ts'
import { useShellTexts } from '../dictionaries/shell.ts'
import { markTitle } from '../ui/page-title.ts'
import { NoticesDrawer } from './notices/notices-drawer.tsx'
import { useNotices } from './notices/use-notices.ts'
import PaletteWindow from './palette/palette-window.tsx'
import type { ShellPart } from './shell-part.ts'
import { ShortcutsWindow } from './shortcuts-window.tsx'

/** What opens in front of any page, one at a time, and what the bell and the tab's title say. Loaded when the page has come to rest. */
export default function ShellParts(props: {
  readonly open: ShellPart | null
  onOpen(part: ShellPart | null): void
  readonly me: Me
  onUnread(count: number): void
}): ReactNode {
  const { open, onOpen, onUnread } = props
  const t = useShellTexts().notices
  const notices = useNotices(props.me)
  const { size } = notices.unread
  const failed = notices.failed?.count ?? 0
  const mark = [
    ...(size > 0 ? [`(${size})`] : []),
    ...(failed > 0 ? [t.failed(`${failed}${notices.failed?.isMore === true ? '+' : ''}`), '·'] : []),
  ].join(' ')
  useEffect(() => {
    onUnread(size)
  }, [size])
  useEffect(() => {
    markTitle(mark)
  }, [mark])
  useEffect(() => () => markTitle(''), [])
  useEffect(() => {
    if (open === 'notices') notices.refresh()
  }, [open])
  const onClose = (): void => onOpen(null)
  return (
    <>
      <PaletteWindow isOpen={open === 'palette'} onClose={onClose} onOpen={onOpen} />
      <NoticesDrawer isOpen={open === 'notices'} onClose={onClose} notices={notices} />
      <ShortcutsWindow isOpen={open === 'shortcuts'} onClose={onClose} />
    </>
  )
}
