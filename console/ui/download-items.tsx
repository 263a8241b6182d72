import type { ReactNode } from 'react'
import { withQuery } from '../api/request.ts'
import { useSharedTexts } from '../dictionaries/texts.ts'
import type { Download } from './download.ts'
import { MenuLink } from './menu-items.tsx'
import { SITE_PATH } from '../site.ts'

/** The two forms of a file, as items of a menu. Loaded when it is opened. */
export default function DownloadItems({ path, query = {} }: Download): ReactNode {
  const t = useSharedTexts().download
  return (
    <>
      <MenuLink
        icon="download"
        link={<a href={SITE_PATH + withQuery(`${path}.csv`, { ...query, bom: 'true' })} download title={t.hint} />}
      >
        {t.csv}
      </MenuLink>
      <MenuLink
        icon="download"
        link={<a href={SITE_PATH + withQuery(`${path}.ndjson`, query)} download title={t.hint} />}
      >
        {t.ndjson}
      </MenuLink>
    </>
  )
}
