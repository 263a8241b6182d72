import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { exportConfiguration } from '../../../api/settings-admin.ts'
import { useProblemText } from '../../../dictionaries/problem-text.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useGuarded } from '../../../shell/identity-guard.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { saveText } from '../../../ui/save-text.ts'
import { useToast } from '../../../ui/toasts.tsx'

/** Saves the whole installation as a file that makes the same one of an empty one, and says what such a file leaves out. */
export function ExportFile(): ReactNode {
  const t = useTexts('settings').exporting
  const guarded = useGuarded()
  const toast = useToast()
  const problemText = useProblemText()
  const exported = useMutation({
    gcTime: 0,
    mutationFn: () => guarded(exportConfiguration),
    onSuccess: ({ file }) => saveText('tollgate.yaml', file),
    onError: (error) => toast({ text: problemText(error), tone: 'bad' }),
  })
  const remarks = exported.data?.remarks ?? []
  return (
    <>
      <Button icon="download" isBusy={exported.isPending} onClick={() => exported.mutate()}>
        {t.action}
      </Button>
      <Dialog isOpen={exported.data !== undefined} size="small" title={t.done} onClose={exported.reset}>
        <div className="grid gap-3">
          <p>{t.what}</p>
          {remarks.length > 0 && (
            <>
              <p className="font-medium">{t.leftOut}</p>
              <ul lang="en" className="grid list-disc gap-1 pl-5 text-sm">
                {remarks.map((remark) => (
                  <li key={remark} className="[overflow-wrap:anywhere]">
                    {remark}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      </Dialog>
    </>
  )
}
