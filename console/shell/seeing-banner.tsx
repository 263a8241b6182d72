import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { seeingNow } from '../api/seeing.ts'
import { endSeeing } from '../api/visits.ts'
import { useShellTexts } from '../dictionaries/shell.ts'
import { useFormat } from '../format/use-format.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useNow } from '../ui/use-now.ts'

/** Above every page while an admin sees an account as its owner does, with the way back. */
export default function SeeingBanner({ email }: { readonly email: string }): ReactNode {
  const t = useShellTexts().seeing
  const format = useFormat()
  const end = useMutation({ mutationFn: endSeeing })
  const nowMs = useNow()
  const seeing = seeingNow()
  return (
    <div className="sticky top-14 z-20 -mx-1 mb-4 rounded-lg bg-ground p-1 lg:top-0 print:hidden">
      {/* In one row also on a phone: it stays in sight of everything else. */}
      <div role="status" className="flex items-center gap-3 rounded-lg bg-warn-soft px-3 py-2">
        <Icon name="eye" className="text-warn" />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-warn [overflow-wrap:anywhere]">{t.title(email)}</p>
          {seeing !== null && <p className="text-sm">{t.text(format.clock(Date.parse(seeing.until), nowMs))}</p>}
        </div>
        <Button className="shrink-0" isBusy={end.isPending} onClick={() => end.mutate()}>
          {t.end}
        </Button>
      </div>
    </div>
  )
}
