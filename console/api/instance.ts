import type { InstanceInfo } from '../../src/contract/administration.ts'
import { read } from './request.ts'

/** What this installation is and offers, known without signing in. */
export const instanceQuery = read<InstanceInfo>(['instance'], '/api/instance', { staleTime: 300_000 })
