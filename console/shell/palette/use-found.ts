import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { keysQuery } from '../../api/keys.ts'
import { modelsQuery } from '../../api/models.ts'
import { useMay } from '../../api/use-may.ts'
import { ADMIN_PATHS } from '../../admin-pages.ts'
import { PATHS } from '../../paths.ts'
import type { Command } from './command.ts'
import { useStaffFound } from './use-staff-found.ts'

const TYPING_MS = 150
/** The most results of each kind; the page has all of them. */
const MOST_FOUND = 6

/**
 * The reader's keys and models of these words, and for those who run the place the objects of everyone. Empty words: none. The
 * server is asked once the typing pauses.
 */
export function useFound(words: string): { readonly commands: readonly Command[]; readonly isSearching: boolean } {
  const navigate = useNavigate()
  const [asked, setAsked] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setAsked(words), TYPING_MS)
    return () => clearTimeout(timer)
  }, [words])
  const keys = useQuery({
    ...keysQuery({ limit: MOST_FOUND, sort: 'last_used_at', order: 'desc', search: asked }),
    enabled: asked !== '',
  })
  const models = useQuery({ ...modelsQuery, enabled: asked !== '' })
  const isStaff = useMay('staff')
  const ofAll = useStaffFound(asked, new Set((keys.data?.data ?? []).map(({ id }) => id)))
  if (words === '') return { commands: [], isSearching: false }
  const isOld = asked !== words || keys.isPlaceholderData
  const fits = (name: string): boolean => name.toLowerCase().includes(words.toLowerCase())
  const named = (models.data ?? []).filter(({ name }) => fits(name)).slice(0, MOST_FOUND)
  return {
    isSearching: isOld || keys.isFetching || models.isPending || ofAll.isSearching,
    commands: [
      ...(keys.data?.data ?? [])
        // Until the answer is here, of the one before only what still fits.
        .filter((key) => !isOld || fits(key.name))
        .map((key): Command => ({
          ...ofPart('keys', key.id, key.name),
          icon: 'key',
          detail: `${key.secret_start}…${key.secret_end}`,
          run: () => void navigate({ to: PATHS.key, params: { keyId: key.id } }),
        })),
      ...named.map(({ name }): Command => ({
        ...ofPart('models', name, name),
        icon: 'models',
        run: () => void navigate({ to: PATHS.models, search: { model: name } }),
      })),
      // Until the answer is here, of the one before only what still fits.
      ...ofAll.commands.filter(({ label, detail = '' }) => asked === words || fits(label) || fits(detail)),
      ...(isStaff ? named : []).map(({ id, name }): Command => ({
        ...ofPart('prices', id, name),
        icon: 'billing',
        run: () => void navigate({ to: ADMIN_PATHS.price, params: { modelId: id } }),
      })),
    ],
  }
}

function ofPart(part: 'keys' | 'models' | 'prices', id: string, label: string): Omit<Command, 'icon' | 'run'> {
  return { id: `${part}-${id}`, part, label, names: [label], words: [], focus: 'page' }
}
