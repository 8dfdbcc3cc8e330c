/* The PNG encoder of libstb-dev: compiled here, once; a system header, so that its warnings are its own. */
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb/stb_image_write.h>
