export const SUPERUSER = 'postgres';
export const DATABASE = 'postgres';

/** The environment of the server and initdb; Windows adds required variables. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

export interface ServerPlace {
  dataDirectory: string;
  /** Undefined on Windows, which uses loopback TCP. */
  socketFolder: string | undefined;
  port: number;
  /** Written by the server at its start, and removed when it stops. */
  ownerFile: string;
}

/**
 * The server's command line. `fsync`, `synchronous_commit` and `full_page_writes` keep their defaults, so acknowledged
 * commits are on disk. Shared memory is mapped from files, as containers often have only 64 MB of /dev/shm.
 */
export function serverArguments(place: ServerPlace): string[] {
  const settings = {
    listen_addresses: place.socketFolder ? '' : '127.0.0.1',
    unix_socket_directories: place.socketFolder ? listItem(place.socketFolder) : '',
    unix_socket_permissions: '0700',
    external_pid_file: place.ownerFile,
    max_connections: '300',
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    dynamic_shared_memory_type: place.socketFolder ? 'mmap' : 'windows',
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', place.dataDirectory, '-p', String(place.port), ...options];
}

function listItem(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`;
}
