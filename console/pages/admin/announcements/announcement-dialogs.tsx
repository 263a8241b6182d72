import type { ReactNode } from 'react'
import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import { deleteAnnouncement } from '../../../api/announcement-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { usePreferences } from '../../../preferences.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { DeleteDialog } from '../kit/delete-dialog.tsx'
import type { AskedDialog } from '../kit/resource-page.tsx'
import type { AnnouncementStep } from './announcement-menu.tsx'

const EditAnnouncement = lazyPart(() => import('./edit-announcement.tsx'))

/** The dialog of an announcement that the address names. */
export default function AnnouncementDialogs(props: {
  readonly asked: AskedDialog<AnnouncementView, AnnouncementStep>
  onClose(): void
}): ReactNode {
  const t = useTexts('announcements').deleting
  const { language } = usePreferences()
  const { step, item } = props.asked
  const { onClose } = props
  if (step !== 'delete') {
    return <EditAnnouncement announcement={step === 'edit' ? item : null} like={item} onClose={onClose} />
  }
  return (
    <DeleteDialog
      name={item.title[language]}
      texts={t}
      send={() => deleteAnnouncement(item.id)}
      refreshes={['announcements']}
      onClose={onClose}
    >
      <p>{t.text}</p>
    </DeleteDialog>
  )
}
