<?php
/**
 * What WordPress makes of a feed: run by wordpress.py, in a folder of its own, with a command in JSON.
 * The answer is JSON on the last line.
 */

define('WP_USE_THEMES', false);
$command = json_decode($argv[1], true);
if ($command['do'] === 'install') {
    define('WP_INSTALLING', true);
}
if ($command['do'] === 'import') {
    define('WP_LOAD_IMPORTERS', true);
}
$_SERVER['HTTP_HOST'] = '127.0.0.1';
$_SERVER['REQUEST_URI'] = '/';
require getcwd() . '/wp-load.php';

// The feed is served by this machine, which WordPress refuses in production.
add_filter('http_request_host_is_external', '__return_true');
add_filter('http_allowed_safe_ports', fn ($ports) => [...$ports, $command['port'] ?? 0]);
// Feeds are kept for a minute or half a day.
$wpdb->query("DELETE FROM $wpdb->options WHERE option_name LIKE '_transient%feed_%'");
wp_cache_flush();

function list_posts(): array
{
    $posts = get_posts(['numberposts' => -1, 'post_status' => 'any', 'orderby' => 'date', 'order' => 'DESC']);
    return array_map(fn ($post) => [
        'id' => $post->ID,
        'guid' => $post->guid,
        'title' => html_entity_decode(get_the_title($post), ENT_QUOTES),
        'status' => $post->post_status,
        'date' => $post->post_date_gmt,
        'categories' => wp_get_post_categories($post->ID, ['fields' => 'names']),
        'html' => apply_filters('the_content', $post->post_content),
    ], $posts);
}

function install(): array
{
    require_once ABSPATH . 'wp-admin/includes/upgrade.php';
    add_filter('pre_wp_mail', '__return_true');
    wp_install('Blog', 'admin', 'admin@blog.example', true, '', 'a-password-for-nothing');
    return [];
}

function activate(array $command): array
{
    require_once ABSPATH . 'wp-admin/includes/admin.php';
    foreach ($command['plugins'] as $plugin) {
        activate_plugin($plugin);
    }
    return [];
}

function empty_blog(): array
{
    foreach (get_posts(['numberposts' => -1, 'post_status' => 'any', 'fields' => 'ids']) as $id) {
        wp_delete_post($id, true);
    }
    return [];
}

function show_block(array $command): array
{
    $settings = json_encode([
        'feedURL' => $command['url'],
        'itemsToShow' => $command['items'],
        'displayExcerpt' => true,
        'displayDate' => true,
    ], JSON_UNESCAPED_SLASHES);
    return ['html' => do_blocks("<!-- wp:rss $settings /-->")];
}

function fetch(array $command): array
{
    $feed = fetch_feed($command['url']);
    if (is_wp_error($feed)) {
        return ['error' => $feed->get_error_message()];
    }
    return ['items' => array_map(fn ($item) => [
        'title' => html_entity_decode($item->get_title(), ENT_QUOTES),
        'link' => html_entity_decode($item->get_permalink()),
        'description' => $item->get_description(),
        'content' => $item->get_content(),
        'date' => $item->get_date('U'),
    ], $feed->get_items())];
}

function import_file(array $command): array
{
    wp_set_current_user(1);
    foreach (['import', 'post', 'taxonomy'] as $name) {
        require_once ABSPATH . "wp-admin/includes/$name.php";
    }
    require_once $command['plugin'];
    $importer = new RSS_Import();
    $importer->file = $command['file'];
    ob_start();
    $importer->get_posts();
    $importer->import_posts();
    return ['said' => wp_strip_all_tags(ob_get_clean()), 'posts' => list_posts()];
}

function subscribe(array $command): array
{
    require_once ABSPATH . 'wp-admin/includes/bookmark.php';
    update_option('feedwordpress_syndicated_post_status', 'publish');
    FeedWordPress::needs_upgrade();
    return ['link' => FeedWordPress::syndicate_link('Programme', $command['url'], $command['url'])];
}

function syndicate(array $command): array
{
    global $feedwordpress;
    return ['changed' => $feedwordpress->update($command['url']), 'posts' => list_posts()];
}

$answer = match ($command['do']) {
    'install' => install(),
    'activate' => activate($command),
    'empty' => empty_blog(),
    'block' => show_block($command),
    'fetch' => fetch($command),
    'import' => import_file($command),
    'subscribe' => subscribe($command),
    'syndicate' => syndicate($command),
    'posts' => ['posts' => list_posts()],
    'version' => ['version' => get_bloginfo('version')],
};
echo "\n", json_encode($answer, JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), "\n";
