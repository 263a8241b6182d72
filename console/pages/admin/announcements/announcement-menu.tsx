import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { AnnouncementView } from '../../../../src/contract/announcements.ts'
import { changeAnnouncement, readAnnouncementsAgain } from '../../../api/announcement-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { timeText } from '../../../format/local-time.ts'
import { usePreferences } from '../../../preferences.ts'
import { MenuItem, MenuLine } from '../../../ui/menu-items.tsx'
import { useToast } from '../../../ui/toasts.tsx'

/** What stands in the address while its dialog is open. */
export type AnnouncementStep = 'edit' | 'copy' | 'delete'

/** What can be done with one announcement. */
export default function AnnouncementMenu(props: {
  readonly announcement: AnnouncementView
  onStep(step: AnnouncementStep, announcement: AnnouncementView): void
}): ReactNode {
  const t = useTexts('announcements')
  const { announcement, onStep } = props
  const end = useEnding(announcement)
  return (
    <>
      <MenuItem icon="edit" onSelect={() => onStep('edit', announcement)}>
        {t.edit}
      </MenuItem>
      <MenuItem icon="copy" onSelect={() => onStep('copy', announcement)}>
        {t.duplicate}
      </MenuItem>
      {announcement.state === 'running' && (
        <MenuItem icon="pause" onSelect={end}>
          {t.endNow}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem icon="trash" isDangerous onSelect={() => onStep('delete', announcement)}>
        {t.delete}
      </MenuItem>
    </>
  )
}

/** It stays in the list, and can be given another end. */
function useEnding({ id, version, title, starts_at: startsAt }: AnnouncementView): () => void {
  const t = useTexts('announcements')
  const { language } = usePreferences()
  const toast = useToast()
  const problemText = useProblemText()
  const queries = useQueryClient()
  const end = useMutation({
    mutationFn: () => {
      const endsMs = Math.max(Date.now(), Date.parse(startsAt) + 1)
      return changeAnnouncement(id, { ends_at: timeText(endsMs) }, version)
    },
    onSuccess: () => toast({ text: t.ended(title[language]) }),
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
    onSettled: () => readAnnouncementsAgain(queries),
  })
  return () => end.mutate()
}
