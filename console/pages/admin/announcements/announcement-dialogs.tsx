import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import { deleteAnnouncement, readAnnouncementsAgain } from '../../../api/announcement-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { usePreferences } from '../../../preferences.ts'
import { ConfirmDialog } from '../../../ui/dialog.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { useToast } from '../../../ui/toasts.tsx'
import type { AnnouncementStep } from './announcement-menu.tsx'

const AnnouncementForm = lazyPart(() => import('./announcement-form.tsx'))

/** The dialog that the address names, by the id of its announcement. One that is gone opens nothing. */
export default function AnnouncementDialogs(props: {
  readonly announcements: readonly AnnouncementView[]
  readonly wish: { readonly [Step in AnnouncementStep | 'new']: string | undefined }
  onClose(): void
}): ReactNode {
  const { announcements, wish, onClose } = props
  const found = (id: string | undefined) => announcements.find((each) => each.id === id) ?? null
  const [edited, copied, deleted] = [found(wish.edit), found(wish.copy), found(wish.delete)]
  if (wish.new !== undefined) return <AnnouncementForm announcement={null} like={null} onClose={onClose} />
  if (edited !== null) {
    return <AnnouncementForm key={edited.id} announcement={edited} like={edited} onClose={onClose} />
  }
  if (copied !== null) return <AnnouncementForm key={copied.id} announcement={null} like={copied} onClose={onClose} />
  return deleted === null ? null : <DeleteAnnouncement announcement={deleted} onClose={onClose} />
}

function DeleteAnnouncement(props: { readonly announcement: AnnouncementView; onClose(): void }): ReactNode {
  const t = useTexts('announcements').deleting
  const { language } = usePreferences()
  const toast = useToast()
  const queries = useQueryClient()
  const { announcement, onClose } = props
  const title = announcement.title[language]
  const remove = useMutation({
    mutationFn: () => deleteAnnouncement(announcement.id),
    onSuccess: () => {
      toast({ text: t.done(title) })
      readAnnouncementsAgain(queries)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      isOpen
      title={t.title(title)}
      action={t.action}
      isDangerous
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <p>{t.text}</p>
        {remove.error !== null && <ErrorState error={remove.error} />}
      </div>
    </ConfirmDialog>
  )
}
