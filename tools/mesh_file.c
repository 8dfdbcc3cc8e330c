/* Meshes from files, through Assimp where the build has it. Its importers are large and read what anyone wrote: they run in a
 * forked child with a limit on CPU time, which sends the buffers back over a pipe; what happens to it is a diagnostic here.
 * Assimp only parses and triangulates; space, winding and missing normals are done here, the same for every version.
 *
 * Message: u32 vertices in bytes, u32 indices in bytes (both 0: refused), then both, or a reason. */
#include "tools/mesh.h"
#ifdef KILN_HAS_ASSIMP
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fcntl.h>
#include <math.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FILE_MAX = 64 << 20, MESH_BYTES_MAX = 1 << 28, CPU_SECONDS = 20 };

/* ---- in the child ---- */

struct vertex { float position[3], normal[3], uv[2]; };

/* The cross product of two sides: twice the triangle's area long, so that a sum weighs by area. */
static void add_face_normal(struct vertex *v[3])
{
	double a[3], b[3];
	for (int i = 0; i < 3; i++) {
		a[i] = (double)v[1]->position[i] - (double)v[0]->position[i];
		b[i] = (double)v[2]->position[i] - (double)v[0]->position[i];
	}
	for (int k = 0; k < 3; k++)
		for (int i = 0; i < 3; i++) {
			int j = (i + 1) % 3, l = (i + 2) % 3;
			v[k]->normal[i] += (float)(a[j] * b[l] - a[l] * b[j]);
		}
}

static void normalise(float n[3])
{
	double l = sqrt((double)n[0] * (double)n[0] + (double)n[1] * (double)n[1] + (double)n[2] * (double)n[2]);
	for (int i = 0; i < 3; i++)
		n[i] = l > 0 ? (float)((double)n[i] / l) : i == 1 ? 1.0f : 0.0f;
}

static void read_vertices(const struct aiMesh *m, struct vertex *v)
{
	for (unsigned i = 0; i < m->mNumVertices; i++) {
		v[i] = (struct vertex){.position = {m->mVertices[i].x, m->mVertices[i].y, -m->mVertices[i].z}};
		if (m->mNormals)
			memcpy(v[i].normal, (float[]){m->mNormals[i].x, m->mNormals[i].y, -m->mNormals[i].z}, sizeof v[i].normal);
		if (m->mTextureCoords[0])
			memcpy(v[i].uv, (float[]){m->mTextureCoords[0][i].x, 1.0f - m->mTextureCoords[0][i].y}, sizeof v[i].uv);
	}
}

static void put_mesh(const struct aiMesh *m, bool uv, struct buf *vertices, struct buf *indices)
{
	uint32_t first = (uint32_t)(vertices->size / (uv ? 32 : 24));
	struct vertex *v = mem_array(m->mNumVertices, sizeof *v);
	read_vertices(m, v);
	for (unsigned i = 0; i < m->mNumFaces; i++) {
		const unsigned *at = m->mFaces[i].mIndices;
		if (m->mFaces[i].mNumIndices != 3 || at[0] >= m->mNumVertices || at[1] >= m->mNumVertices ||
			at[2] >= m->mNumVertices)
			continue; /* points and lines */
		if (!m->mNormals)
			add_face_normal((struct vertex *[]){&v[at[0]], &v[at[2]], &v[at[1]]});
		buf_u32(indices, first + at[0]); /* counter-clockwise in the file */
		buf_u32(indices, first + at[2]);
		buf_u32(indices, first + at[1]);
	}
	for (unsigned i = 0; i < m->mNumVertices; i++) {
		normalise(v[i].normal);
		buf_put(vertices, &v[i], uv ? 32 : 24);
	}
	mem_free(v);
}

/* A reason where nothing came of it. */
static const char *import(const char *path, bool uv, struct buf *vertices, struct buf *indices)
{
	const struct aiScene *scene = aiImportFile(path, aiProcess_Triangulate | aiProcess_JoinIdenticalVertices |
		aiProcess_PreTransformVertices);
	if (!scene)
		return aiGetErrorString();
	for (unsigned i = 0; i < scene->mNumMeshes; i++)
		put_mesh(scene->mMeshes[i], uv, vertices, indices);
	aiReleaseImport(scene);
	if (!indices->size)
		return "the file holds no triangles";
	return vertices->size > MESH_BYTES_MAX || indices->size > MESH_BYTES_MAX ? "the mesh is too large" : NULL;
}

static bool send_all(int fd, const void *data, size_t size)
{
	const char *at = data;
	while (size) {
		ssize_t n = write(fd, at, size);
		if (n <= 0)
			return false;
		at += n;
		size -= (size_t)n;
	}
	return true;
}

static void child(int fd, const char *path, bool uv)
{
	struct buf vertices = {0}, indices = {0};
	int nowhere = open("/dev/null", O_WRONLY);
	setrlimit(RLIMIT_CPU, &(struct rlimit){CPU_SECONDS, CPU_SECONDS});
	for (int stream = 1; nowhere >= 0 && stream <= 2; stream++)
		dup2(nowhere, stream); /* importers chatter */
	const char *reason = import(path, uv, &vertices, &indices);
	const uint32_t header[2] = {reason ? 0 : (uint32_t)vertices.size, reason ? 0 : (uint32_t)indices.size};
	bool ok = send_all(fd, header, sizeof header);
	if (ok && reason)
		send_all(fd, reason, strlen(reason));
	else if (ok && send_all(fd, vertices.data, vertices.size))
		send_all(fd, indices.data, indices.size);
	_exit(0);
}

/* ---- in the parent ---- */

static void receive(int fd, struct buf *out)
{
	char block[65536];
	ssize_t n;
	while ((n = read(fd, block, sizeof block)) > 0)
		buf_put(out, block, (size_t)n);
}

static bool take(const char *path, const struct buf *message, struct buf *vertices, struct buf *indices, struct kiln_diags *d)
{
	struct reader r = {.data = message->data, .size = message->size};
	uint32_t vertex_bytes = reader_u32(&r), index_bytes = reader_u32(&r);
	const void *v = reader_bytes(&r, vertex_bytes), *i = reader_bytes(&r, index_bytes);
	if (r.failed)
		diag_add(d, DIAG_MESH_INVALID, path, "the importer ended without an answer");
	else if (!index_bytes)
		diag_add(d, DIAG_MESH_INVALID, path, "%.*s", (int)(r.size - r.at < 200 ? r.size - r.at : 200),
			(const char *)r.data + r.at);
	else {
		buf_put(vertices, v, vertex_bytes);
		buf_put(indices, i, index_bytes);
		return true;
	}
	return false;
}

bool mesh_read(const char *path, bool uv, struct buf *vertices, struct buf *indices, struct kiln_diags *d)
{
	uint8_t *data = NULL;
	size_t size = 0;
	int ends[2], status;
	if (!file_read(path, FILE_MAX, &data, &size, d))
		return false;
	mem_free(data);
	pid_t pid = pipe(ends) == 0 ? fork() : -1;
	if (pid < 0) {
		diag_add(d, DIAG_MESH_INVALID, path, "no process for the importer");
		return false;
	}
	if (!pid) {
		close(ends[0]);
		child(ends[1], path, uv);
	}
	struct buf message = {0};
	close(ends[1]);
	receive(ends[0], &message);
	close(ends[0]);
	waitpid(pid, &status, 0);
	bool ok = take(path, &message, vertices, indices, d);
	buf_finish(&message);
	return ok;
}
#else
bool mesh_read(const char *path, bool uv, struct buf *vertices, struct buf *indices, struct kiln_diags *d)
{
	(void)uv, (void)vertices, (void)indices;
	diag_add(d, DIAG_MESH_IMPORTER_MISSING, path, "this Kiln was built without Assimp");
	return false;
}
#endif
