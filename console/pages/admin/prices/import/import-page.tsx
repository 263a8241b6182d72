import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { ADMIN_PATHS } from '../../../../admin-pages.ts'
import { modelsQuery } from '../../../../api/models.ts'
import { useTexts } from '../../../../dictionaries/texts.ts'
import { PageHeader } from '../../../../ui/page-header.tsx'
import { QueryView } from '../../../../ui/query-view.tsx'
import { SkeletonLines } from '../../../../ui/skeleton.tsx'
import { BackLink } from '../../../../ui/back-link.tsx'
import type { Catalogue } from './catalogue-entry.ts'
import { CatalogueSource } from './catalogue-source.tsx'
import { ImportHistory } from './import-history.tsx'
import { ImportPreview } from './import-preview.tsx'

/** Prices from a catalogue: read here, compared with those that are set, and saved as ticked. */
export default function ImportPage(): ReactNode {
  const t = useTexts('priceImport')
  const models = useQuery(modelsQuery)
  const [catalogue, setCatalogue] = useState<Catalogue | null>(null)
  return (
    <>
      <BackLink to={ADMIN_PATHS.prices}>{t.back}</BackLink>
      <PageHeader title={t.title} lead={t.lead} />
      {catalogue === null ? (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
          <CatalogueSource onCatalogue={setCatalogue} />
          <QueryView query={models} skeleton={<SkeletonLines />}>
            {(all) => <ImportHistory models={all} />}
          </QueryView>
        </div>
      ) : (
        <QueryView query={models} skeleton={<SkeletonLines />}>
          {(all) => <ImportPreview models={all} catalogue={catalogue} onOther={() => setCatalogue(null)} />}
        </QueryView>
      )}
    </>
  )
}
