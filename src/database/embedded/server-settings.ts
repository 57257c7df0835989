/** The one role and database of the embedded server. */
export const SUPERUSER = 'postgres';
export const DATABASE = 'postgres';

/** What the server and initdb see of the environment; Windows adds what its programs cannot do without. */
export const SERVER_ENVIRONMENT = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** What differs from one start to the next. */
export interface ServerPlace {
  dataDirectory: string;
  /** Folder for the Unix socket; undefined for loopback TCP, on Windows. */
  socketFolder: string | undefined;
  port: number;
  /** The server writes its process id here when it starts, and removes it when it stops. */
  ownerFile: string;
}

/**
 * The server's command line. `fsync`, `synchronous_commit` and `full_page_writes` keep their default: a commit that was
 * acknowledged is on the disk. Shared memory is mapped from files, since containers often have 64 MB of /dev/shm.
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

/** A path in a setting that takes a list. */
function listItem(folder: string): string {
  return `"${folder.replaceAll('"', '""')}"`;
}
