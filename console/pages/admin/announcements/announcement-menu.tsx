import type { ReactNode } from 'react'
import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import { changeAnnouncement } from '../../../api/announcement-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { timeText } from '../../../format/local-time.ts'
import { usePreferences } from '../../../preferences.ts'
import { MenuItem, MenuLine } from '../../../ui/menu-items.tsx'
import type { RowMenuProps } from '../kit/resource-page.tsx'
import { useChange } from '../../../forms/use-change.ts'

/** The dialogs of an announcement, as the address names them. */
export type AnnouncementStep = 'edit' | 'copy' | 'delete'

/** What can be done with one announcement. */
export default function AnnouncementMenu(props: RowMenuProps<AnnouncementView, AnnouncementStep>): ReactNode {
  const t = useTexts('announcements')
  const { language } = usePreferences()
  const { item, onStep } = props
  // One that ends stays in the list, and can be given another end.
  const end = useChange({
    send: () => {
      const endsMs = Math.max(Date.now(), Date.parse(item.starts_at) + 1)
      return changeAnnouncement(item.id, { ends_at: timeText(endsMs) }, item.version)
    },
    done: () => t.ended(item.title[language]),
    refreshes: ['announcements'],
  })
  return (
    <>
      <MenuItem icon="edit" onSelect={() => onStep('edit')}>
        {t.edit}
      </MenuItem>
      <MenuItem icon="copy" onSelect={() => onStep('copy')}>
        {t.duplicate}
      </MenuItem>
      {item.state === 'running' && (
        <MenuItem icon="pause" onSelect={() => end.mutate()}>
          {t.endNow}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon="trash" isDangerous onSelect={() => onStep('delete')}>
        {t.delete}
      </MenuItem>
    </>
  )
}
