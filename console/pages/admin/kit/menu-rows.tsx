import { Fragment, type ReactElement, type ReactNode } from 'react'
import type { IconName } from '../../../ui/icon.tsx'
import { MenuItem, MenuLine, MenuLink } from '../../../ui/menu-items.tsx'

/** One line of a menu: it does something, or leads somewhere; a note says why there is no more to do. */
export type MenuRow =
  | { readonly icon: IconName; readonly text: string; readonly isDangerous?: boolean; onSelect(): void }
  | { readonly icon: IconName; readonly text: string; readonly link: ReactElement }
  | { readonly note: string }

/** The lines of a menu, what is dangerous below a rule. Loaded late, with the code of menus. */
export default function MenuRows({ rows }: { readonly rows: readonly MenuRow[] }): ReactNode {
  return rows.map((row, index) => {
    if ('note' in row) {
      return (
        <p key={row.note} className="max-w-64 px-2.5 py-1.5 text-sm text-ink-2">
          {row.note}
        </p>
      )
    }
    const { icon, text } = row
    if ('link' in row) {
      return (
        <MenuLink key={text} icon={icon} link={row.link}>
          {text}
        </MenuLink>
      )
    }
    const isDangerous = row.isDangerous === true
    return (
      <Fragment key={text}>
        {isDangerous && index > 0 && <MenuLine />}
        <MenuItem icon={icon} isDangerous={isDangerous} onSelect={row.onSelect}>
          {text}
        </MenuItem>
      </Fragment>
    )
  })
}
