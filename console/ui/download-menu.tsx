import type { ReactNode } from 'react'
import { seeingNow } from '../api/seeing.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { Button } from './button.tsx'
import { IconButton } from './icon-button.tsx'
import type { Download } from './download.ts'
import { lazyPart } from './lazy-part.tsx'
import { Menu } from './menu.tsx'

const DownloadItems = lazyPart(() => import('./download-items.tsx'))

/** All of a list of the API as a file, of one of two forms. `isQuiet`: one of several buttons without a text. */
export function DownloadMenu({ isQuiet = false, ...download }: Download & { readonly isQuiet?: boolean }): ReactNode {
  const t = useSharedTexts().download
  // A link goes as the admin who sees the account, not as its owner.
  if (seeingNow() !== null) return null
  return (
    <Menu
      onNear={DownloadItems.load}
      trigger={isQuiet ? <IconButton icon="download" label={t.action} /> : <Button icon="download">{t.action}</Button>}
    >
      <DownloadItems {...download} />
    </Menu>
  )
}
