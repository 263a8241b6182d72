import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ADMIN_PATHS } from '../../../admin-pages.ts'
import { modelsQuery } from '../../../api/models.ts'
import { Badge } from '../../../ui/badge.tsx'

/** What an upstream serves, each with the way to its price and targets; bare names until these are known. */
export function ServedModels({ names }: { readonly names: readonly string[] }): ReactNode {
  const { data: models } = useQuery(modelsQuery)
  const ids = new Map(models?.map(({ name, id }) => [name, id]))
  return (
    <ul className="flex flex-wrap gap-1.5">
      {names.map((name) => (
        <li key={name} className="max-w-full">
          <ServedModel name={name} id={ids.get(name)} />
        </li>
      ))}
    </ul>
  )
}

function ServedModel({ name, id }: { readonly name: string; readonly id: string | undefined }): ReactNode {
  if (id === undefined) return <Badge>{name}</Badge>
  return (
    <Link
      to={ADMIN_PATHS.price}
      params={{ modelId: id }}
      className="inline-flex max-w-full min-h-6 items-center hover:underline touch:min-h-11"
    >
      <Badge tone="accent">{name}</Badge>
    </Link>
  )
}
